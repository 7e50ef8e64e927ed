package dev.braid.exchange.averaging;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import dev.braid.exchange.state.StateKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Descriptor of {@code averaging}. */
public final class AveragingDescriptor implements ExchangeDescriptor {

  /** The optimisers whose steps lead from one mean to the next. */
  public enum Outer {
    NONE,
    NESTEROV;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * k, the number of batches between two averages. With the default, workers send a fifth of the
   * data of synchronous training, and replicas do not drift far apart.
   */
  public static final ExchangeOption<Integer> INTERVAL =
      ExchangeOption.named("interval", "K", ValueForm.wholeNumber(1, Integer.MAX_VALUE))
          .help("Number of batches that each worker trains on between two averages.")
          .byDefault(5);

  /** The optimiser whose steps lead from one mean to the next. */
  public static final ExchangeOption<Outer> OUTER =
      ExchangeOption.named("outer", "NAME", ValueForm.word(Outer.class, Outer::title))
          .help(
              "Optimiser between two averages: none takes the mean of the models; nesterov takes "
                  + "a step along the mean of their moves (DiLoCo).")
          .byDefault(Outer.NONE);

  /** Learning rate of the outer optimiser; the default is the paper's. */
  public static final ExchangeOption<Double> OUTER_RATE =
      ExchangeOption.named("outer-rate", "X", ValueForm.number("above 0", value -> value > 0))
          .help("Learning rate of outer=nesterov.")
          .byDefault(0.7);

  /** Momentum of the outer optimiser; the default is the paper's. */
  public static final ExchangeOption<Double> OUTER_MOMENTUM =
      ExchangeOption.named(
              "outer-momentum",
              "X",
              ValueForm.number("0 to below 1", value -> value >= 0 && value < 1))
          .help("Momentum of outer=nesterov.")
          .byDefault(0.9);

  /** P, the number of parts of the model, which are averaged in turn. */
  public static final ExchangeOption<Integer> FRAGMENTS =
      ExchangeOption.named("fragments", "P", ValueForm.wholeNumber(1, Integer.MAX_VALUE))
          .help("Number of parts of the model, which are averaged in turn, each every K batches.")
          .byDefault(1);

  /** The number of batches that a worker trains on while an average is computed. */
  public static final ExchangeOption<Integer> OVERLAP =
      ExchangeOption.named("overlap", "N", ValueForm.wholeNumber(0, Integer.MAX_VALUE))
          .help("Number of batches that each worker trains on while an average is computed.")
          .byDefault(0);

  /** The exchanges that compute the averages. */
  public enum Sums {
    TREE,
    FT_TREE;

    String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The exchange that computes the averages. */
  public static final ExchangeOption<Sums> SUMS =
      ExchangeOption.named("sums", "NAME", ValueForm.word(Sums.class, Sums::title))
          .help(
              "Exchange that computes the averages: tree waits for unreachable workers; ft-tree "
                  + "routes around failed links and leaves unreachable workers out.")
          .byDefault(Sums.TREE);

  @Override
  public String name() {
    return "averaging";
  }

  @Override
  public String summary() {
    return "workers train independently for some batches, then average their models";
  }

  @Override
  public String advice() {
    return "Choose it when waiting and sending after each batch costs too much, and you "
        + "accept a slightly lower accuracy.";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(
        INTERVAL, OUTER, OUTER_RATE, OUTER_MOMENTUM, FRAGMENTS, OVERLAP, SUMS, Compression.OPTION);
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    return isElastic(chosen) ? ElasticAveraging.states(chosen) : ParameterAveraging.states(chosen);
  }

  private static boolean isElastic(ExchangeOptions chosen) {
    return chosen.get(SUMS) == Sums.FT_TREE;
  }

  @Override
  public boolean bearsFaultyLinks(ExchangeOptions chosen) {
    return isElastic(chosen);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return true;
  }

  /**
   * Returns a name that includes the interval, because workers with different intervals would not
   * average together. The name also marks moves, which start from the last mean, saved with them.
   */
  @Override
  public String stateName(ExchangeOptions chosen) {
    String ofMoves =
        isElastic(chosen)
            ? ", in views"
            : ParameterAveraging.averagesMoves(chosen) ? ", of moves" : "";
    String outer = OuterStep.of(chosen).map(step -> ", " + step.title()).orElse("");
    int fragments = chosen.get(FRAGMENTS);
    int overlap = chosen.get(OVERLAP);
    return "%s every %d batches%s%s%s%s"
        .formatted(
            name(),
            chosen.get(INTERVAL),
            ofMoves,
            outer,
            fragments > 1 ? ", in " + fragments + " fragments" : "",
            overlap > 0 ? ", during " + overlap + " batches" : "");
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    int interval = chosen.get(INTERVAL);
    int fragments = chosen.get(FRAGMENTS);
    if (fragments > interval) {
      return Optional.of(
          "%s: must be at most the interval, %d".formatted(FRAGMENTS.with(fragments), interval));
    }
    if (chosen.get(OVERLAP) > interval / fragments) {
      return Optional.of(
          "%s: must be at most the interval divided by the fragments, %d"
              .formatted(OVERLAP.with(chosen.get(OVERLAP)), interval / fragments));
    }
    if (isElastic(chosen) && fragments > 1) {
      return Optional.of("%s: needs sums=tree".formatted(FRAGMENTS.with(fragments)));
    }
    if (isElastic(chosen) && chosen.get(OVERLAP) > 0) {
      return Optional.of("%s: needs sums=tree".formatted(OVERLAP.with(chosen.get(OVERLAP))));
    }
    Compression compression = chosen.get(Compression.OPTION);
    for (ExchangeOption<Double> ofStep : List.of(OUTER_RATE, OUTER_MOMENTUM)) {
      if (chosen.isChosen(ofStep) && OuterStep.of(chosen).isEmpty()) {
        return Optional.of("%s: needs outer=nesterov".formatted(ofStep.with(chosen.get(ofStep))));
      }
    }
    return compression instanceof Compression.Corrected
        ? Optional.of(
            "%s: averaging sends moves, which contain each worker's momentum; use threshold"
                .formatted(Compression.OPTION.with(compression)))
        : Optional.empty();
  }

  @Override
  public Sends sends() {
    return Sends.MOVES;
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    return isElastic(config.options())
        ? new ElasticAveraging(config, port)
        : new ParameterAveraging(config, port);
  }
}
