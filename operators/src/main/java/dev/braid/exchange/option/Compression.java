package dev.braid.exchange.option;

import java.io.Serializable;
import java.util.Locale;
import java.util.Optional;

/**
 * How gradients are made smaller before they are sent. Its values are Serializable, as they go to
 * the workers with the job.
 */
public sealed interface Compression extends Serializable {

  /** Gradients go as they are. */
  Compression NONE = new None();

  /** Of exchanges that send gradients. */
  ExchangeOption<Compression> OPTION =
      ExchangeOption.named(
              "compress",
              "CODEC",
              new ValueForm<>(Compression.class, Compression::of, Compression::toString))
          .help(
              "How gradients are made smaller before they are sent: none; threshold, the signs of"
                  + " what is largest, the rest later (threshold:1% for such a share of the elements,"
                  + " threshold:0.001 for what is beyond that in the mean of a batch,"
                  + " threshold:adaptive for Deeplearning4j's, which clips what is kept); bitmap, the"
                  + " same with two bits for each element; auto, the shorter of both, where it pays"
                  + " (ft-tree, mesh and sharing do not measure that: always); dgc:0.1%, as threshold,"
                  + " with the optimiser's momentum at each worker; top-k:0.01, the largest as they"
                  + " are; bf16, all with half of the bits. For sharing,"
                  + " auto:adaptive by default.")
          .byDefault(NONE)
          .shortly("compress");

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

    /** The momentum, which the optimiser has to have. */
    public float momentum() {
      return 0.9f;
    }

    @Override
    public String toString() {
      return "dgc:" + shown(100 * share) + "%";
    }
  }

  /** All elements, rounded to bfloat16. */
  record HalfBits() implements Compression {
    @Override
    public String toString() {
      return "bf16";
    }
  }

  /** What is taken of a gradient at a threshold. */
  enum Form {
    /** +τ or −τ of what is beyond. */
    SIGNS("threshold"),
    /** And −τ/2 of what is between −τ and −τ/2: the fourth state of two bits. */
    BITMAP("bitmap"),
    /** The latter, where two bits for each element are fewer than the signs take. */
    SHORTER("auto");

    private final String word;

    Form(String word) {
      this.word = word;
    }
  }

  /** Which threshold there is. */
  sealed interface Rule extends Serializable {

    /** Beyond which about a share of the elements is. */
    record OfShare(double share) implements Rule {
      @Override
      public String toString() {
        return shown(100 * share) + "%";
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
      public String toString() {
        return "adaptive";
      }
    }
  }

  /** Of the sum over the largest batch it is a float32, too. */
  float LARGEST_THRESHOLD = 1e20f;

  /** What share of the elements is sent where nothing is said of it. */
  double DEFAULT_SHARE = 0.01;

  /** The same with momentum at each worker. */
  double CORRECTED_SHARE = 0.001;

  /**
   * Refuses what keeps something for later, where that cannot be.
   *
   * @param reason with which exchange, and why not
   * @return a line that says so, or nothing where every element is sent
   */
  static Optional<String> mistakeUnlessAllIsSent(Compression chosen, String reason) {
    return chosen instanceof None || chosen instanceof HalfBits
        ? Optional.empty()
        : Optional.of(
            "%s %s: %s; none and bf16 are possible".formatted(OPTION.typed(), chosen, reason));
  }

  /**
   * As it is typed. Behind the codec's name there may be an equals sign for the colon, as {@code
   * compare} takes colons apart.
   *
   * @throws IllegalArgumentException if it is nothing of the kind
   */
  static Compression of(String text) {
    String[] parts = text.strip().split("[:=]", 2);
    String argument = parts.length == 1 ? "" : parts[1];
    return switch (parts[0]) {
      case "none" -> alone(NONE, argument);
      case "bf16" -> alone(new HalfBits(), argument);
      case "top-k" -> new Largest(argument.isEmpty() ? DEFAULT_SHARE : share(argument));
      case "threshold" -> new Threshold(Form.SIGNS, rule(argument));
      case "bitmap" -> new Threshold(Form.BITMAP, rule(argument));
      case "dgc" -> new Corrected(argument.isEmpty() ? CORRECTED_SHARE : share(argument));
      case "auto" -> new Threshold(Form.SHORTER, rule(argument));
      default ->
          throw new UnknownWordException("none, threshold, bitmap, auto, dgc, top-k:SHARE, bf16");
    };
  }

  private static Compression alone(Compression compression, String argument) {
    if (!argument.isEmpty()) {
      throw new IllegalArgumentException(compression + " is all that can be chosen of it");
    }
    return compression;
  }

  private static Rule rule(String text) {
    if (text.isEmpty()) {
      return new Rule.OfShare(DEFAULT_SHARE);
    }
    if (text.equals(new Rule.Adapting().toString())) {
      return new Rule.Adapting();
    }
    if (text.endsWith("%")) {
      return new Rule.OfShare(share(text));
    }
    float tau = (float) number(text, "a threshold such as 0.001, a share such as 1%, or adaptive");
    if (!(tau >= Float.MIN_NORMAL && tau <= LARGEST_THRESHOLD)) {
      throw new IllegalArgumentException(
          "a threshold above 0, at most 1e20, such as 0.001, is needed");
    }
    return new Rule.OfMean(tau);
  }

  private static double share(String text) {
    boolean isPercent = text.endsWith("%");
    String digits = isPercent ? text.substring(0, text.length() - 1) : text;
    double share = number(digits, "a share such as 0.01 or 1%") / (isPercent ? 100 : 1);
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("a share above 0, at most 1 (100%), is needed");
    }
    return share;
  }

  private static double number(String text, String needed) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(needed + " is needed", e);
    }
  }

  private static String shown(double number) {
    return String.format(Locale.ROOT, "%.6f", number).replaceAll("\\.?0+$", "");
  }
}
