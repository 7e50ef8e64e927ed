package dev.braid.exchange.registry;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.allreduce.AveragingDescriptor;
import dev.braid.exchange.allreduce.RingDescriptor;
import dev.braid.exchange.allreduce.TreeDescriptor;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.async.AkoDescriptor;
import dev.braid.exchange.async.AllToAllDescriptor;
import dev.braid.exchange.async.GossipDescriptor;
import dev.braid.exchange.coded.CodedDescriptor;
import dev.braid.exchange.coded.DropStragglersDescriptor;
import dev.braid.exchange.coded.GradientCodingDescriptor;
import dev.braid.exchange.coded.UncodedDescriptor;
import dev.braid.exchange.compression.Compressed;
import dev.braid.exchange.fttree.FaultTolerantTreeDescriptor;
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
 * An exchange that a run can have, by the name that users type, on the transport that its links
 * need. To add one, add its descriptor to {@code OWN}; or leave Braid as it is, and name the
 * descriptor in {@code META-INF/services} of a jar on the job's class path.
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

  /** Where it has come to with a job: the one of this name. */
  private Object readResolve() {
    return named(name)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "exchange " + name + " is on the client's class path but not here"));
  }

  /** All of them: those that Braid brings, and then those that were added. */
  public static List<ExchangeType> all() {
    return ALL;
  }

  /** Why exchanges that others have put on the class path cannot be used, a line each. */
  public static List<String> refused() {
    return ADDED.refused();
  }

  /** The exchange of this name. */
  public static Optional<ExchangeType> named(String name) {
    return ALL.stream().filter(type -> type.name.equals(name)).findFirst();
  }

  /** All names, for help texts and errors. */
  public static String titles() {
    return ALL.stream().map(ExchangeType::title).collect(Collectors.joining(", "));
  }

  /** What is known of it. */
  public ExchangeDescriptor descriptor() {
    return descriptor;
  }

  /** The name on the command line. */
  public String title() {
    return name;
  }

  /** What it does, in a line. */
  public String summary() {
    return descriptor.summary();
  }

  /** Whether all that this makes with these options is {@link Synchronous}; else asynchronous. */
  public boolean isSynchronous(ExchangeOptions options) {
    return descriptor.isSynchronous(options);
  }

  /** Whose state the ranks of this write, with these options, and whose they can read. */
  public StateFormat stateFormat(ExchangeOptions options) {
    List<StateKind> states =
        Stream.of(descriptor.states(options), Compressed.states(descriptor, options))
            .flatMap(List::stream)
            .toList();
    return new StateFormat(descriptor.stateName(options), states);
  }

  /**
   * One rank's part of this exchange, on a transport that repeats what links lose, unless it goes
   * around faults by itself.
   */
  public Exchange create(ExchangeConfig config, Port port) {
    boolean needsTransport = !descriptor.bearsFaultyLinks() && config.ranks() > 1;
    if (!needsTransport) {
      return bare(config, port);
    }
    return isSynchronous(config.options())
        ? new ReliableSynchronous(
            config, port, descriptor.waysAround(config), (c, p) -> (Synchronous) bare(c, p))
        : new ReliableAsynchronous(config, port, (c, p) -> (Asynchronous) bare(c, p));
  }

  /** The algorithm itself, with its gradients compressed if that is chosen. */
  private Exchange bare(ExchangeConfig config, Port port) {
    return Compressed.create(descriptor, config, port);
  }

  @Override
  public String toString() {
    return name;
  }
}
