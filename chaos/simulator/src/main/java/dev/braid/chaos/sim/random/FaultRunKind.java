package dev.braid.chaos.sim.random;

import dev.braid.chaos.event.Schedule.Faults;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.exchange.fttree.BraidedTree;
import dev.braid.exchange.fttree.FaultTolerantTree;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.exchange.runner.ExchangeRunner;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Kinds of runs under random faults: an exchange, the faults that it has to survive, and a weight,
 * which is the relative frequency of the kind. An exchange that reroutes messages guarantees
 * nothing if no path is left.
 */
enum FaultRunKind {
  // In the kinds that end in PARTED, all links of some ranks are cut for seconds.

  /** Adaptive time-outs; every rank keeps a path to every other. */
  FT_TREE(100, Faults.PATH_LEFT),
  FT_TREE_PARTED(3, Faults.PATH_LEFT),
  /** Fixed time-outs, as in the paper. */
  FT_TREE_STATIC(10, Faults.PATH_LEFT),
  RING(10, Faults.ANY),
  TREE(10, Faults.ANY),
  MESH(10, Faults.ANY),
  MESH_PARTED(3, Faults.ANY),
  /** Allreduce over more ranks than in all other runs. */
  MANY_RANKS(1, Faults.PATH_LEFT),
  PS_SYNC(10, Faults.ANY),
  AVERAGING(10, Faults.ANY),
  UNCODED(10, Faults.ANY),
  CODED(10, Faults.ANY),
  /** Trees that are chosen again after each epoch. */
  CODED_PLANNED(4, Faults.ANY),
  /** Rounds that may be complete without every rank's gradient. */
  DROP_STRAGGLERS(10, Faults.ANY),
  ALL_TO_ALL(10, Faults.ANY),
  AKO(10, Faults.ANY),
  SHARING(10, Faults.ANY),
  GOSSIP(10, Faults.ANY),
  /**
   * Servers that wait for no worker, or for the slowest within a bound; dedicated servers or not.
   */
  PS_ASYNC(10, Faults.ANY),
  /** Allreduce with any codec. */
  COMPRESSED(30, Faults.PATH_LEFT),
  /** Sharded updates, with an updater that keeps state. */
  SHARDED(20, Faults.ANY),
  SHARDED_PARTED(3, Faults.ANY),
  GRADIENT_CODING(10, Faults.ANY),
  /** A run that resumes with another number of workers, under another exchange. */
  RESCALED(20, Faults.ANY),
  /** A run from a topic: deals, lineage, readers, published versions, and scoring. */
  STREAM(30, Faults.ANY),
  ALL_TO_ALL_PARTED(3, Faults.ANY),
  AKO_PARTED(3, Faults.ANY),
  SHARING_PARTED(3, Faults.ANY),
  GOSSIP_PARTED(3, Faults.ANY),
  AVERAGING_PARTED(3, Faults.PATH_LEFT);

  /** Time-out of the paper's tree. */
  private static final long TIMEOUT_NANOS = 50_000_000;

  private final int weight;
  private final Faults faults;

  FaultRunKind(int weight, Faults faults) {
    this.weight = weight;
    this.faults = faults;
  }

  /** Returns the kind that a seed draws. */
  static FaultRunKind draw(long seed) {
    SplittableRandom random = Seeds.of(seed, -31);
    int left = random.nextInt(Arrays.stream(values()).mapToInt(kind -> kind.weight).sum());
    for (FaultRunKind kind : values()) {
      left -= kind.weight;
      if (left < 0) {
        return kind;
      }
    }
    throw new AssertionError();
  }

  /** Returns whether a round may end without the slowest ranks. */
  boolean leavesStragglers() {
    return switch (this) {
      case CODED, CODED_PLANNED, GRADIENT_CODING, DROP_STRAGGLERS -> true;
      default -> false;
    };
  }

  /** Returns whether all ranks always end with the bits of an undisturbed run. */
  boolean isRepeatable() {
    return switch (this) {
      case FT_TREE, FT_TREE_STATIC, RING, TREE, MESH, PS_SYNC, AVERAGING, UNCODED -> true;
      case COMPRESSED, SHARDED, MANY_RANKS -> true;
      default -> false;
    };
  }

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @SafeVarargs
  private static <T> T draw(SplittableRandom random, T... values) {
    return values[random.nextInt(values.length)];
  }

  ExchangeFactory exchange(SplittableRandom random) {
    return switch (this) {
      case FT_TREE, FT_TREE_PARTED -> ExchangeRunner.bare(BraidedTree::new);
      case FT_TREE_STATIC ->
          ExchangeRunner.bare((config, port) -> new FaultTolerantTree(config, port, TIMEOUT_NANOS));
      case RING -> ExchangeType.RING::create;
      case TREE -> ExchangeType.TREE::create;
      case MESH, MESH_PARTED, SHARDED_PARTED -> ExchangeType.MESH::create;
      case PS_SYNC -> ExchangeType.PS::create;
      case AVERAGING, AVERAGING_PARTED -> ExchangeType.AVERAGING::create;
      case UNCODED -> ExchangeType.UNCODED::create;
      case CODED, CODED_PLANNED -> ExchangeType.CODED::create;
      case DROP_STRAGGLERS -> ExchangeType.DROP_STRAGGLERS::create;
      case GRADIENT_CODING -> ExchangeType.GRADIENT_CODING::create;
      case PS_ASYNC -> ExchangeType.PS::create;
      case COMPRESSED, MANY_RANKS ->
          draw(
                  random,
                  ExchangeType.RING,
                  ExchangeType.TREE,
                  ExchangeType.MESH,
                  ExchangeType.FT_TREE)
              ::create;
      case SHARDED -> draw(random, ExchangeType.RING, ExchangeType.MESH)::create;
      case ALL_TO_ALL, ALL_TO_ALL_PARTED -> ExchangeType.ALL_TO_ALL::create;
      case AKO, AKO_PARTED -> ExchangeType.AKO::create;
      case RESCALED, STREAM -> throw new IllegalStateException(title());
      case SHARING, SHARING_PARTED -> ExchangeType.SHARING::create;
      case GOSSIP, GOSSIP_PARTED -> ExchangeType.GOSSIP::create;
    };
  }

  /** Returns whether the root may be a rank that computes nothing. */
  boolean mayHaveDedicatedRoot() {
    return switch (this) {
      case UNCODED, CODED, CODED_PLANNED, GRADIENT_CODING, DROP_STRAGGLERS -> true;
      default -> false;
    };
  }

  /** Returns whether all links of some ranks are cut for seconds. */
  boolean isParted() {
    return switch (this) {
      case FT_TREE_PARTED, MESH_PARTED, SHARDED_PARTED, AVERAGING_PARTED -> true;
      case ALL_TO_ALL_PARTED, AKO_PARTED, SHARING_PARTED, GOSSIP_PARTED -> true;
      default -> false;
    };
  }

  /** Returns the least number of ranks: one rank cannot be separated from others. */
  int leastRanks() {
    return isParted() ? 2 : 1;
  }

  Faults faults() {
    return faults;
  }
}
