package dev.braid.exchange.option;

import dev.braid.codec.HalfPrecision;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How gradients are made smaller before they are sent. Its values are Serializable, as they go to
 * the workers with the job.
 */
public sealed interface Compression extends Serializable {

  /** The codecs that users may type. */
  String KNOWN = "none, threshold:RULE, bitmap:RULE, auto:RULE, dgc:SHARE, top-k:SHARE, bf16, fp16";

  /** Gradients go as they are. */
  Compression NONE = new None();

  /** Of exchanges that send gradients. */
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
                  + "top-k:0.01: the largest elements, uncompressed. bf16, fp16: all elements with "
                  + "half of the bits; fp16 has more precision and less range.")
          .byDefault(NONE);

  /** All elements as they are. */
  record None() implements Compression {
    @Override
    public String toString() {
      return "none";
    }
  }

  /** Signs of what is beyond a threshold; what they leave is kept, and sent later. */
  record Threshold(Form form, Rule rule) implements Compression {
    @Override
    public String toString() {
      return form.word + ":" + rule;
    }
  }

  /**
   * The largest elements as they are; what they leave is kept, and sent later.
   *
   * @param share of the elements, above 0, at most 1
   */
  record Largest(double share) implements Compression {
    @Override
    public String toString() {
      return "top-k:" + share;
    }
  }

  /**
   * Signs of what is beyond a threshold, with the optimiser's momentum at each worker, before
   * something is kept back of it: Deep Gradient Compression.
   *
   * @param share of the elements, above 0, at most 1
   */
  record Corrected(double share) implements Compression {

    /** The state that it has and no other: what the gradients before add to the next one. */
    public static final String VELOCITY = "velocity";

    /** The momentum, which the optimiser has to have. */
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

  /** What is taken of a gradient at a threshold. */
  enum Form {
    /** +τ or −τ of what is beyond. */
    SIGNS("threshold"),
    /** And −τ/2 of what is between −τ and −τ/2: the fourth state of two bits. */
    BITMAP("bitmap"),
    /**
     * Signs, in a short form where links are not so fast that plain values take less time. Their
     * short form never takes more bytes than the bitmap: that has two bits for each element, and a
     * gap and a sign take no more, however many there are.
     */
    SIGNS_IF_IT_PAYS("auto");

    private final String word;

    Form(String word) {
      this.word = word;
    }
  }

  /** Which threshold there is. */
  sealed interface Rule extends Serializable {

    /** Whether what is kept is cut off at a multiple of the threshold. */
    default boolean clips() {
      return false;
    }

    /** Beyond which about a share of the elements is. */
    record OfShare(double share) implements Rule {
      @Override
      public String toString() {
        return shown(share);
      }
    }

    /** Always the same, of the mean gradient of a full batch. */
    record OfMean(float tau) implements Rule {
      @Override
      public String toString() {
        return String.valueOf(tau);
      }
    }

    /** Deeplearning4j's, with its residual clipping. */
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
     * The same, from that threshold on which as many elements of the first gradient are beyond as
     * are not too many. Deeplearning4j's own is of no gradient, and a few percent a step away.
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

  /** Of the sum over the largest batch it is a float32, too. */
  float LARGEST_THRESHOLD = 1e20f;

  /** What share of the elements is sent where nothing is said of it. */
  double DEFAULT_SHARE = 0.01;

  /** Of a percentage behind the share's point. */
  int PERCENT_DIGITS = 2;

  /** All elements. */
  double PERCENT = 100;

  /** The same with momentum at each worker. */
  double CORRECTED_SHARE = 0.001;

  /** To which values all elements are rounded, where that is what is done. */
  static Optional<HalfPrecision> rounding(Compression chosen) {
    return chosen instanceof HalfBits half ? Optional.of(half.form()) : Optional.empty();
  }

  /**
   * Refuses what keeps something for later, where that cannot be.
   *
   * @param reason with which exchange, and why not
   * @return a line that says so, or nothing where every element is sent
   */
  static Optional<String> mistakeUnlessAllIsSent(Compression chosen, String reason) {
    return chosen instanceof None || chosen instanceof HalfBits
        ? Optional.empty()
        : Optional.of("%s: %s; use none, bf16 or fp16".formatted(OPTION.with(chosen), reason));
  }

  /**
   * As it is typed.
   *
   * @throws IllegalArgumentException if it is nothing of the kind
   */
  static Compression of(String text) {
    String[] parts = text.strip().split(":", 2);
    Optional<String> argument = Arrays.stream(parts).skip(1).findFirst();
    return switch (parts[0]) {
      case "none" -> alone(NONE, argument);
      case "bf16" -> alone(new HalfBits(HalfPrecision.BFLOAT16), argument);
      case "fp16" -> alone(new HalfBits(HalfPrecision.FLOAT16), argument);
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
    // Before it is moved: a number with a huge exponent would take all memory then.
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
      throw new IllegalArgumentException(needed + " is needed", e);
    }
  }

  /** As a percentage, which could be typed. */
  private static String shown(double share) {
    BigDecimal percentage = BigDecimal.valueOf(share).movePointRight(PERCENT_DIGITS);
    return percentage.stripTrailingZeros().toPlainString() + "%";
  }
}
