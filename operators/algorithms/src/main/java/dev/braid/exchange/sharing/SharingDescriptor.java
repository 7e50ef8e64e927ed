package dev.braid.exchange.sharing;

import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.Compression.Form;
import dev.braid.exchange.option.Compression.Rule;
import dev.braid.exchange.option.ExchangeOption;
import dev.braid.exchange.option.ValueForm;
import dev.braid.exchange.state.StateKind;
import java.util.List;
import java.util.Optional;

/** {@code sharing}: Deeplearning4j's gradient sharing. */
public final class SharingDescriptor implements ExchangeDescriptor {

  /** The links between ranks. */
  public static final ExchangeOption<SharingMode> MODE =
      ExchangeOption.named("mode", "MODE", ValueForm.word(SharingMode.class, SharingMode::title))
          .help(
              "plain: all updates go through a master. mesh: updates travel along a tree "
                  + "with at most 8 children per worker. auto: plain below 32 workers.")
          .byDefault(SharingMode.AUTO);

  /**
   * Number of gradients by which a rank may be ahead, in addition to the one that it must send. The
   * default is 0: the later gradients arrive, the less they contribute to training.
   */
  static final ExchangeOption<Integer> STALENESS =
      ExchangeOptions.STALENESS.otherwise().byDefault(0);

  private static final ExchangeOption<Compression> COMPRESSION =
      Compression.OPTION
          .otherwise()
          .foundOutByDefault(
              "dgc; threshold:warm if the optimiser has no momentum", Compression.NONE);

  /** Default compression without momentum: as in Deeplearning4j, except for the first threshold. */
  private static final Compression WITHOUT_MOMENTUM =
      new Compression.Threshold(Form.SIGNS, new Rule.Warm());

  /**
   * Default compression with momentum. As in Deeplearning4j, where updates are shared, momentum is
   * applied before sending. If it were applied after receiving, to updates that are a round late or
   * contain the residual of many gradients, it would continue along outdated directions, and
   * replicas would oscillate.
   */
  private static final Compression.Corrected WITH_MOMENTUM =
      new Compression.Corrected(Compression.CORRECTED_SHARE);

  @Override
  public String name() {
    return "sharing";
  }

  @Override
  public String summary() {
    return "compressed gradients, relayed by a master or along a tree (asynchronous)";
  }

  @Override
  public String advice() {
    return "Choose it when the network is slow and gradients compress well, or for "
        + "comparisons with Deeplearning4j.";
  }

  @Override
  public String source() {
    return "Deeplearning4j, after Strom, \"Scalable distributed DNN training using commodity GPU"
        + " cloud computing\", 2015";
  }

  @Override
  public List<ExchangeOption<?>> options() {
    return List.of(MODE, STALENESS, COMPRESSION);
  }

  @Override
  public Compression compression(ExchangeOptions chosen) {
    return chosen.isChosen(Compression.OPTION) ? chosen.get(Compression.OPTION) : WITHOUT_MOMENTUM;
  }

  @Override
  public Compression compression(ExchangeOptions chosen, float momentum) {
    return chosen.isChosen(Compression.OPTION) || momentum != WITH_MOMENTUM.momentum()
        ? compression(chosen)
        : WITH_MOMENTUM;
  }

  @Override
  public List<StateKind> states(ExchangeOptions chosen) {
    return List.of(GradientSharing.CLOCKS);
  }

  @Override
  public boolean isSynchronous(ExchangeOptions chosen) {
    return false;
  }

  @Override
  public Steps steps(ExchangeOptions chosen) {
    return Steps.OF_EACH_GRADIENT;
  }

  @Override
  public boolean bearsFaultyLinks(ExchangeOptions chosen) {
    return true;
  }

  @Override
  public Optional<String> mistake(ExchangeOptions chosen) {
    boolean isMesh = chosen.get(MODE).of(chosen.workers()) == SharingMode.MESH;
    int most = SharingMode.mostRanksOfMesh();
    return isMesh && chosen.workers() > most
        ? Optional.of(
            ("%s: a tree of %d levels with %d children per worker has no room for %d "
                    + "workers, only for %d; %s has no limit")
                .formatted(
                    MODE.with(chosen.get(MODE)),
                    SharingMode.MESH_LEVELS,
                    SharingMode.MESH_CHILDREN,
                    chosen.workers(),
                    most,
                    MODE.with(SharingMode.PLAIN)))
        : Optional.empty();
  }

  @Override
  public Optional<String> describe(ExchangeOptions chosen) {
    return Optional.of(chosen.get(MODE).of(chosen.workers()).title());
  }

  @Override
  public Exchange create(ExchangeConfig config, Port port) {
    int children = config.options().get(MODE).children(config.ranks());
    return new GradientSharing(config, port, children);
  }
}
