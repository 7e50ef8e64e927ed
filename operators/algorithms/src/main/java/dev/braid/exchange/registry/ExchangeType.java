package dev.braid.exchange.registry;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.allreduce.RingDescriptor;
import dev.braid.exchange.allreduce.TreeDescriptor;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.async.AkoDescriptor;
import dev.braid.exchange.async.AllToAllDescriptor;
import dev.braid.exchange.async.GossipDescriptor;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.coded.CodedDescriptor;
import dev.braid.exchange.coded.DropStragglersDescriptor;
import dev.braid.exchange.coded.GradientCodingDescriptor;
import dev.braid.exchange.coded.UncodedDescriptor;
import dev.braid.exchange.compression.GradientCompression;
import dev.braid.exchange.fttree.FaultTolerantTreeDescriptor;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.server.ParameterServersDescriptor;
import dev.braid.exchange.sharing.SharingDescriptor;
import dev.braid.exchange.state.StateFormat;
import dev.braid.exchange.state.StateKind;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An exchange that a run can use, by the name that users type. To add an exchange, add its
 * descriptor to {@code OWN}. Alternatively, name the descriptor in {@code META-INF/services} of a
 * jar on the job's class path, without a change to Braid.
 */
public final class ExchangeType implements Serializable {

  private static final long serialVersionUID = 1L;

  public static final ExchangeType RING = new ExchangeType(new RingDescriptor());
  public static final ExchangeType TREE = new ExchangeType(new TreeDescriptor());
  public static final ExchangeType FT_TREE = new ExchangeType(new FaultTolerantTreeDescriptor());
  public static final ExchangeType MESH = new ExchangeType(new MeshDescriptor());
  public static final ExchangeType AVERAGING = new ExchangeType(new AveragingDescriptor());
  public static final ExchangeType ALL_TO_ALL = new ExchangeType(new AllToAllDescriptor());
  public static final ExchangeType AKO = new ExchangeType(new AkoDescriptor());
  public static final ExchangeType SHARING = new ExchangeType(new SharingDescriptor());
  public static final ExchangeType PS = new ExchangeType(new ParameterServersDescriptor());
  public static final ExchangeType GOSSIP = new ExchangeType(new GossipDescriptor());

  public static final ExchangeType CODED = new ExchangeType(new CodedDescriptor());
  public static final ExchangeType GRADIENT_CODING =
      new ExchangeType(new GradientCodingDescriptor());
  public static final ExchangeType UNCODED = new ExchangeType(new UncodedDescriptor());
  public static final ExchangeType DROP_STRAGGLERS =
      new ExchangeType(new DropStragglersDescriptor());

  private static final List<ExchangeType> OWN =
      List.of(
          RING,
          TREE,
          FT_TREE,
          MESH,
          AVERAGING,
          ALL_TO_ALL,
          AKO,
          SHARING,
          PS,
          GOSSIP,
          CODED,
          GRADIENT_CODING,
          UNCODED,
          DROP_STRAGGLERS);

  private static final AddedExchanges ADDED =
      AddedExchanges.found(OWN.stream().map(ExchangeType::descriptor).toList());

  private static final List<ExchangeType> ALL =
      Stream.concat(OWN.stream(), ADDED.descriptors().stream().map(ExchangeType::new)).toList();

  private final String name;
  private final transient ExchangeDescriptor descriptor;

  private ExchangeType(ExchangeDescriptor descriptor) {
    this.name = descriptor.name();
    this.descriptor = descriptor;
  }

  /** Resolves a deserialised type to the local one of the same name. */
  private Object readResolve() {
    return named(name)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "exchange "
                        + name
                        + ": on the client's class path, but not on that of this process"));
  }

  /** Returns all exchanges: Braid's own, followed by those that were added. */
  public static List<ExchangeType> all() {
    return ALL;
  }

  /** Returns the reasons why added exchanges on the class path are unusable, one line each. */
  public static List<String> refused() {
    return ADDED.refused();
  }

  /** Returns the exchange of this name, if there is one. */
  public static Optional<ExchangeType> named(String name) {
    return ALL.stream().filter(type -> type.name.equals(name)).findFirst();
  }

  /** Returns all names, for help texts and errors. */
  public static String titles() {
    return ALL.stream().map(ExchangeType::title).collect(Collectors.joining(", "));
  }

  /** Returns the descriptor. */
  public ExchangeDescriptor descriptor() {
    return descriptor;
  }

  /** Returns the name on the command line. */
  public String title() {
    return name;
  }

  /** Returns a summary of one line. */
  public String summary() {
    return descriptor.summary();
  }

  /** Returns whether this exchange is {@link Synchronous} with these options. */
  public boolean isSynchronous(ExchangeOptions options) {
    return descriptor.isSynchronous(options);
  }

  /**
   * Returns the format of the state that ranks of this exchange write and read with these options.
   */
  public StateFormat stateFormat(ExchangeOptions options) {
    List<StateKind> states =
        Stream.of(descriptor.states(options), GradientCompression.states(descriptor, options))
            .flatMap(List::stream)
            .toList();
    return new StateFormat(descriptor.stateName(options), states);
  }

  /** Creates one rank's part of this exchange. */
  public ExchangeRunner create(ExchangeConfig config, Port port) {
    return ExchangeRunner.of(descriptor, config, port);
  }

  @Override
  public String toString() {
    return name;
  }
}
