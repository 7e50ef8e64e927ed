package dev.braid.job;

import dev.braid.exchange.ExchangeOptions.Consistency;
import dev.braid.exchange.registry.ExchangeType;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Options of {@code braid train} that mean something to some runs only: those of one exchange, or
 * of Kafka. One that is typed for another run is a mistake, as it would change nothing in silence.
 */
enum OptionScope {
  LINK_TIMEOUT("--link-timeout", "--exchange ft-tree", of(ExchangeType.FT_TREE)),
  STALENESS(
      "--staleness",
      "--exchange ako, all-to-all or gossip, or ps with --consistency ssp",
      OptionScope::hasBound),
  SERVERS("--servers", "--exchange ps", of(ExchangeType.PS)),
  CONSISTENCY("--consistency", "--exchange ps", of(ExchangeType.PS)),
  AVERAGING_INTERVAL("--averaging-interval", "--exchange averaging", of(ExchangeType.AVERAGING)),
  AKO_PARTITIONS("--ako-partitions", "--exchange ako", of(ExchangeType.AKO)),
  AKO_ACCUMULATION("--ako-accumulation", "--exchange ako", of(ExchangeType.AKO)),
  BANDWIDTH("--bandwidth", "--exchange ako", of(ExchangeType.AKO)),
  REGRESSION(
      "--regression",
      "a table or a LibSVM file: --data FILE.csv or FILE.libsvm",
      run -> !run.data().isImages()),
  LABEL("--label", OptionScope.TABLE, OptionScope::hasTable),
  IGNORE("--ignore", OptionScope.TABLE, OptionScope::hasTable),
  TEXT("--text", OptionScope.TABLE, OptionScope::hasTable),
  STANDARDIZE(
      "--standardize", OptionScope.TABLE + "; images have --normalize", OptionScope::hasTable),
  NORMALIZE(
      "--normalize", OptionScope.IMAGES + "; a table has --standardize", OptionScope::hasImages),
  FLIP("--flip", OptionScope.IMAGES, OptionScope::hasImages),
  CROP("--crop", OptionScope.IMAGES, OptionScope::hasImages),
  IMAGE_SIZE("--image-size", OptionScope.IMAGES, OptionScope::hasImages),
  CHAOS_FROM("--chaos-from", "--chaos-topic", OptionScope::hasTopic),
  KAFKA_BROKERS("--kafka-brokers", "--chaos-topic", OptionScope::hasTopic),
  KAFKA_PROPERTY("--kafka-property", "--chaos-topic", OptionScope::hasTopic);

  private static final String TABLE = "a table: --data FILE.csv";
  private static final String IMAGES = "images: --data mnist or a folder";

  private final String option;
  private final String belongsTo;

  @SuppressWarnings("ImmutableEnumChecker") // looks at what it is given, and at nothing else
  private final Predicate<TrainOptions> applies;

  OptionScope(String option, String belongsTo, Predicate<TrainOptions> applies) {
    this.option = option;
    this.belongsTo = belongsTo;
    this.applies = applies;
  }

  /** The scope of an option, unless it means something to all runs. */
  static Optional<OptionScope> of(String option) {
    return Arrays.stream(values()).filter(scope -> scope.option.equals(option)).findFirst();
  }

  /** Its name, as it is typed. */
  String option() {
    return option;
  }

  /** Whether the option means something to this run. */
  boolean appliesTo(TrainOptions run) {
    return applies.test(run);
  }

  /**
   * What to say of the option in a run to which it means nothing.
   *
   * @param typed the option as it was typed
   */
  UsageException mistake(String typed, TrainOptions run) {
    return mistake(typed, belongsTo.startsWith("--exchange") ? ", and not " + chosen(run) : "");
  }

  /** The same for several runs, none of which it means anything to. */
  UsageException mistakeInAll(String typed) {
    return mistake(typed, ", and no run is one of that kind");
  }

  private UsageException mistake(String typed, String instead) {
    // A property of Kafka may be a password.
    String shown = this == KAFKA_PROPERTY ? option : typed;
    return new UsageException(shown + ": only with " + belongsTo + instead);
  }

  private String chosen(TrainOptions run) {
    String exchange = run.exchange().title();
    return this == STALENESS && run.exchange() == ExchangeType.PS
        ? exchange + " with --consistency " + run.exchangeOptions().servers().consistency().title()
        : exchange;
  }

  private static Predicate<TrainOptions> of(ExchangeType exchange) {
    return run -> run.exchange() == exchange;
  }

  private static boolean hasBound(TrainOptions run) {
    return run.exchange() == ExchangeType.PS
        ? run.exchangeOptions().servers().consistency() == Consistency.SSP
        : !run.isSynchronous();
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
