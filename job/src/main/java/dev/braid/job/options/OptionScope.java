package dev.braid.job.options;

import dev.braid.job.console.UsageException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Options of {@code braid train} that mean something to some runs only: those of a kind of data, or
 * of Kafka. One that is typed for another run is a mistake, as it would change nothing in silence.
 *
 * @param option as it is typed
 * @param belongsTo what makes it mean something, as it is typed
 * @param applies to which runs it means something
 */
public record OptionScope(String option, String belongsTo, Predicate<TrainOptions> applies) {

  private static final String TABLE = "a table: --data FILE.csv";
  private static final String IMAGES = "images: --data mnist or a folder";
  private static final String KAFKA_PROPERTY = "--kafka-property";

  /** By option. */
  private static final Map<String, OptionScope> ALL =
      Stream.of(
              new OptionScope(
                  "--regression",
                  "a table or a LibSVM file: --data FILE.csv or FILE.libsvm",
                  run -> !run.data().isImages()),
              new OptionScope("--label", TABLE, OptionScope::hasTable),
              new OptionScope("--ignore", TABLE, OptionScope::hasTable),
              new OptionScope("--text", TABLE, OptionScope::hasTable),
              new OptionScope("--header", TABLE, OptionScope::hasTable),
              new OptionScope("--missing", TABLE, OptionScope::hasTable),
              new OptionScope("--time", TABLE, OptionScope::hasTable),
              new OptionScope(
                  "--standardize", TABLE + "; images have --normalize", OptionScope::hasTable),
              new OptionScope(
                  "--normalize", IMAGES + "; a table has --standardize", OptionScope::hasImages),
              new OptionScope("--flip", IMAGES, OptionScope::hasImages),
              new OptionScope("--crop", IMAGES, OptionScope::hasImages),
              new OptionScope("--image-size", IMAGES, OptionScope::hasImages),
              new OptionScope("--chaos-from", "--chaos-topic", OptionScope::hasTopic),
              new OptionScope("--kafka-brokers", "--chaos-topic", OptionScope::hasTopic),
              new OptionScope("--kafka-config", "--chaos-topic", OptionScope::hasTopic),
              new OptionScope(KAFKA_PROPERTY, "--chaos-topic", OptionScope::hasTopic))
          .collect(Collectors.toUnmodifiableMap(OptionScope::option, scope -> scope));

  /** The scope of an option, unless it means something to all runs. */
  public static Optional<OptionScope> of(String option) {
    return Optional.ofNullable(ALL.get(option));
  }

  /** Whether the option means something to this run. */
  public boolean appliesTo(TrainOptions run) {
    return applies.test(run);
  }

  /**
   * What to say of the option in a run to which it means nothing.
   *
   * @param typed the option as it was typed
   */
  public UsageException mistake(String typed) {
    // A property of Kafka may be a password.
    String shown = option.equals(KAFKA_PROPERTY) ? option : typed;
    return new UsageException(shown + ": only with " + belongsTo);
  }

  private static boolean hasTable(TrainOptions run) {
    return run.data().isTable();
  }

  private static boolean hasImages(TrainOptions run) {
    return run.data().isImages();
  }

  private static boolean hasTopic(TrainOptions run) {
    return run.chaos().flatMap(ChaosOptions::topic).isPresent();
  }
}
