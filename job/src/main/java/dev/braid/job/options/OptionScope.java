package dev.braid.job.options;

import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.job.console.UsageException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Options of {@code braid train} that mean something to some runs only: those of one exchange, or
 * of Kafka. One that is typed for another run is a mistake, as it would change nothing in silence.
 *
 * @param option as it is typed
 * @param belongsTo what makes it mean something, as it is typed
 * @param applies to which runs it means something
 */
public record OptionScope(String option, String belongsTo, Predicate<TrainOptions> applies) {

  private static final String TABLE = "a table: --data FILE.csv";
  private static final String IMAGES = "images: --data mnist or a folder";
  private static final String EXCHANGE = "--exchange ";
  private static final String KAFKA_PROPERTY = "--kafka-property";

  /** By option. */
  private static final Map<String, OptionScope> ALL =
      Stream.concat(
              ExchangeType.allOptions().stream().map(OptionScope::ofExchanges),
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
                      "--normalize",
                      IMAGES + "; a table has --standardize",
                      OptionScope::hasImages),
                  new OptionScope("--flip", IMAGES, OptionScope::hasImages),
                  new OptionScope("--crop", IMAGES, OptionScope::hasImages),
                  new OptionScope("--image-size", IMAGES, OptionScope::hasImages),
                  new OptionScope(
                      PlannedTree.OPTION,
                      EXCHANGE + "coded",
                      run -> run.exchange() == ExchangeType.CODED),
                  new OptionScope("--chaos-from", "--chaos-topic", OptionScope::hasTopic),
                  new OptionScope("--kafka-brokers", "--chaos-topic", OptionScope::hasTopic),
                  new OptionScope("--kafka-config", "--chaos-topic", OptionScope::hasTopic),
                  new OptionScope(KAFKA_PROPERTY, "--chaos-topic", OptionScope::hasTopic)))
          .collect(Collectors.toUnmodifiableMap(OptionScope::option, scope -> scope));

  /** The scope of an option, unless it means something to all runs. */
  public static Optional<OptionScope> of(String option) {
    return Optional.ofNullable(ALL.get(option));
  }

  /** Of an option of exchanges: runs with one that has it, and that it means something to. */
  private static OptionScope ofExchanges(ExchangeOption<?> option) {
    List<ExchangeDescriptor> having =
        ExchangeType.all().stream()
            .map(ExchangeType::descriptor)
            .filter(descriptor -> descriptor.options().contains(option))
            .toList();
    List<String> always =
        having.stream()
            .filter(descriptor -> descriptor.condition(option).isEmpty())
            .map(ExchangeDescriptor::name)
            .toList();
    Stream<String> sometimes =
        having.stream()
            .flatMap(it -> it.condition(option).map(other -> it.name() + " " + other).stream());
    String names =
        Stream.concat(Stream.of(either(always)), sometimes)
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", or "));
    return new OptionScope(
        option.typed(),
        EXCHANGE + names,
        run -> run.exchange().descriptor().uses(option, run.exchangeOptions()));
  }

  private static String either(List<String> names) {
    int last = names.size() - 1;
    return last < 1
        ? String.join("", names)
        : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
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
  public UsageException mistake(String typed, TrainOptions run) {
    return mistake(typed, belongsTo.startsWith(EXCHANGE) ? ", and not " + chosen(run) : "");
  }

  /** The same for several runs, none of which it means anything to. */
  public UsageException mistakeInAll(String typed) {
    return mistake(typed, ", and no run is one of that kind");
  }

  private UsageException mistake(String typed, String instead) {
    // A property of Kafka may be a password.
    String shown = option.equals(KAFKA_PROPERTY) ? option : typed;
    return new UsageException(shown + ": only with " + belongsTo + instead);
  }

  /** The run's exchange, with what it has chosen where the option would need another choice. */
  private String chosen(TrainOptions run) {
    ExchangeDescriptor exchange = run.exchange().descriptor();
    return exchange.options().stream()
        .filter(other -> other.typed().equals(option))
        .flatMap(other -> exchange.condition(other).stream())
        .flatMap(condition -> Stream.of(condition.split(" ")))
        .filter(word -> word.startsWith("--"))
        .map(other -> exchange.name() + " with " + other + " " + shown(run, other))
        .findFirst()
        .orElse(exchange.name());
  }

  private static Object shown(TrainOptions run, String typed) {
    return run.exchange().descriptor().options().stream()
        .filter(option -> option.typed().equals(typed))
        .map(run::shown)
        .findFirst()
        .orElseThrow();
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
