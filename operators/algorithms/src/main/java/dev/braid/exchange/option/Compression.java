package dev.braid.exchange.option;

import dev.braid.codec.HalfPrecision;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Compression of gradients before they are sent. Its values are Serializable, because they are sent
 * to the workers with the job.
 */
public sealed interface Compression extends Serializable {

  /** The codecs that users may type. */
  String KNOWN =
      "none, threshold:RULE, bitmap:RULE, auto:RULE, dgc:SHARE, top-k:SHARE, int4, bf16, " + "fp16";

  /** No compression: gradients are sent as they are. */
  Compression NONE = new None();

  /** The option of exchanges that send gradients. */
  ExchangeOption<Compression> OPTION =
      ExchangeOption.named(
              "compress",
              "CODEC",
              new ValueForm<>(
                  Compression.class, Compression.KNOWN, Compression::of, Compression::toString))
          .help(
              "Compression of gradients before they are sent. none. threshold: signs of the "
                  + "largest elements, with the rest sent later; threshold:1% for a share of the "
                  + "elements, threshold:0.001 for an absolute threshold on the mean gradient of a "
                  + "batch, threshold:adaptive for Deeplearning4j's rule, which clips the "
                  + "residual, threshold:warm for that rule with a first threshold from the first "
                  + "gradient. bitmap: as threshold, with two bits per element. auto: as "
                  + "threshold, except on links so fast that plain values take less time. "
                  + "dgc:0.1%: as threshold, with the optimiser's momentum at each worker. "
                  + "top-k:0.01: the largest elements, uncompressed. int4: all elements rounded to "
                  + "4 bits, with the rest sent later. bf16, fp16: all elements with "
                  + "half of the bits; fp16 has more precision and less range.")
          .byDefault(NONE);

  /** All elements as they are. */
  record None() implements Compression {
    @Override
    public String toString() {
      return "none";
    }
  }

  /** Signs of elements beyond a threshold; the rest is kept, and sent later. */
  record Threshold(Form form, Rule rule) implements Compression {
    @Override
    public String toString() {
      return form.word + ":" + rule;
    }
  }

  /**
   * The largest elements as they are; the rest is kept, and sent later.
   *
   * @param share fraction of the elements, 0 &lt; share ≤ 1
   */
  record Largest(double share) implements Compression {
    @Override
    public String toString() {
      return "top-k:" + share;
    }
  }

  /** All elements, rounded to 4 bits; the rest is kept, and sent later. */
  record Levels() implements Compression {
    @Override
    public String toString() {
      return "int4";
    }
  }

  /**
   * Deep Gradient Compression: signs of elements beyond a threshold. Each worker applies the
   * optimiser's momentum before a part of the gradient is kept back.
   *
   * @param share fraction of the elements, 0 &lt; share ≤ 1
   */
  record Corrected(double share) implements Compression {

    /**
     * Name of the state that only this compression has: what earlier gradients add to the next one.
     */
    public static final String VELOCITY = "velocity";

    /** Returns the momentum, which the optimiser must have, too. */
    public float momentum() {
      return 0.9f;
    }

    @Override
    public String toString() {
      return "dgc:" + shown(share);
    }
  }

  /** All elements, rounded to 16 bits. */
  record HalfBits(HalfPrecision form) implements Compression {
    @Override
    public String toString() {
      return form.title();
    }
  }

  /** The part of a gradient that is sent at a threshold τ. */
  enum Form {
    /** +τ or −τ for elements beyond the threshold. */
    SIGNS("threshold"),
    /**
     * As {@link #SIGNS}, and −τ/2 for elements between −τ and −τ/2, which is the fourth state of
     * two bits.
     */
    BITMAP("bitmap"),
    /**
     * Signs, in a short form except on links so fast that plain values take less time. The short
     * form never takes more bytes than the bitmap: the bitmap has two bits for each element, and a
     * gap and a sign take no more, however many there are.
     */
    SIGNS_IF_IT_PAYS("auto");

    private final String word;

    Form(String word) {
      this.word = word;
    }
  }

  /** The rule for the threshold. */
  sealed interface Rule extends Serializable {

    /** Returns whether the residual is clipped at a multiple of the threshold. */
    default boolean clips() {
      return false;
    }

    /** The threshold beyond which about this fraction of the elements lies. */
    record OfShare(double share) implements Rule {
      @Override
      public String toString() {
        return shown(share);
      }
    }

    /** A constant threshold on the mean gradient of a full batch. */
    record OfMean(float tau) implements Rule {
      @Override
      public String toString() {
        return String.valueOf(tau);
      }
    }

    /** Deeplearning4j's rule, with its residual clipping. */
    record Adapting() implements Rule {
      @Override
      public boolean clips() {
        return true;
      }

      @Override
      public String toString() {
        return "adaptive";
      }
    }

    /**
     * Deeplearning4j's rule with another first threshold: the one beyond which the first gradient
     * has the maximum acceptable number of elements. Deeplearning4j's own first threshold depends
     * on no gradient, and changes by only a few percent per step.
     */
    record Warm() implements Rule {
      @Override
      public boolean clips() {
        return true;
      }

      @Override
      public String toString() {
        return "warm";
      }
    }
  }

  /**
   * Largest threshold on the mean gradient. On the sum over the largest batch it is still a
   * float32.
   */
  float LARGEST_THRESHOLD = 1e20f;

  /** Fraction of the elements that is sent by default. */
  double DEFAULT_SHARE = 0.01;

  /** Number of decimal places between a fraction and its percentage. */
  int PERCENT_DIGITS = 2;

  /** All elements, as a percentage. */
  double PERCENT = 100;

  /** Fraction of the elements that is sent by default with momentum at each worker. */
  double CORRECTED_SHARE = 0.001;

  /** Returns the form to which all elements are rounded, or empty if they are not rounded. */
  static Optional<HalfPrecision> rounding(Compression chosen) {
    return chosen instanceof HalfBits half ? Optional.of(half.form()) : Optional.empty();
  }

  /**
   * Rejects compression that keeps a part of the gradient for later, for exchanges that must send
   * everything.
   *
   * @param reason the exchange, and why it must send everything
   * @return a message of one line, or empty if every element is sent
   */
  static Optional<String> mistakeUnlessAllIsSent(Compression chosen, String reason) {
    return chosen instanceof None || chosen instanceof HalfBits
        ? Optional.empty()
        : Optional.of("%s: %s; use none, bf16 or fp16".formatted(OPTION.with(chosen), reason));
  }

  /**
   * Parses a compression.
   *
   * @throws IllegalArgumentException if the text is not a compression
   */
  static Compression of(String text) {
    String[] parts = text.strip().split(":", 2);
    Optional<String> argument = Arrays.stream(parts).skip(1).findFirst();
    return switch (parts[0]) {
      case "none" -> alone(NONE, argument);
      case "bf16" -> alone(new HalfBits(HalfPrecision.BFLOAT16), argument);
      case "fp16" -> alone(new HalfBits(HalfPrecision.FLOAT16), argument);
      case "int4" -> alone(new Levels(), argument);
      case "top-k" -> new Largest(argument.map(Compression::share).orElse(DEFAULT_SHARE));
      case "threshold" -> new Threshold(Form.SIGNS, rule(argument));
      case "bitmap" -> new Threshold(Form.BITMAP, rule(argument));
      case "dgc" -> new Corrected(argument.map(Compression::share).orElse(CORRECTED_SHARE));
      case "auto" -> new Threshold(Form.SIGNS_IF_IT_PAYS, rule(argument));
      default -> throw new UnknownWordException(text, KNOWN);
    };
  }

  private static Compression alone(Compression compression, Optional<String> argument) {
    if (argument.isPresent()) {
      throw new IllegalArgumentException(compression + " takes no further settings");
    }
    return compression;
  }

  private static Rule rule(Optional<String> argument) {
    return argument.map(Compression::rule).orElse(new Rule.OfShare(DEFAULT_SHARE));
  }

  private static Rule rule(String text) {
    for (Rule named : List.of(new Rule.Adapting(), new Rule.Warm())) {
      if (text.equals(named.toString())) {
        return named;
      }
    }
    if (text.endsWith("%")) {
      return new Rule.OfShare(share(text));
    }
    float tau =
        number(text, "a threshold such as 0.001, a share such as 1%, adaptive, or warm")
            .floatValue();
    if (!(tau >= Float.MIN_NORMAL && tau <= LARGEST_THRESHOLD)) {
      throw new IllegalArgumentException(
          "must be a threshold above 0, at most 1e20, such as 0.001");
    }
    return new Rule.OfMean(tau);
  }

  private static double share(String text) {
    boolean isPercent = text.endsWith("%");
    String digits = isPercent ? text.substring(0, text.length() - 1) : text;
    BigDecimal number = number(digits, "a share such as 0.01 or 1%");
    // The range is checked before the decimal point is moved: a number with a huge exponent would
    // then take all memory.
    double most = isPercent ? PERCENT : 1;
    boolean isShare = number.doubleValue() > 0 && number.doubleValue() <= most;
    double share = isShare ? number.movePointLeft(isPercent ? PERCENT_DIGITS : 0).doubleValue() : 0;
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("must be a share above 0, at most 1 (100%)");
    }
    return share;
  }

  private static BigDecimal number(String text, String needed) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be " + needed, e);
    }
  }

  /** Returns a fraction as a percentage, which can be typed. */
  private static String shown(double share) {
    BigDecimal percentage = BigDecimal.valueOf(share).movePointRight(PERCENT_DIGITS);
    return percentage.stripTrailingZeros().toPlainString() + "%";
  }
}
