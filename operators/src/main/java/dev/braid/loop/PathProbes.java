package dev.braid.loop;

import dev.braid.loop.coordinator.LatestAnswers;
import dev.braid.loop.coordinator.LoopEvent.PathsOpen;
import dev.braid.loop.envelope.Envelope.PathProbe;
import java.util.function.Consumer;

/**
 * A member's side of finding out, before a checkpoint, whether the network carries anything from
 * every member to every other.
 *
 * <p>Where it does not, a barrier would not arrive, and as barriers are aligned, whoever waits for
 * it would read nothing from the other members either: training would stand still until the network
 * is whole again, though the exchange could go around. So no checkpoint begins before all paths are
 * open; what is cut after that is {@link BarrierWatch}'s affair. (Unaligned barriers wait for
 * nothing; but Flink has none on an edge that is partitioned by destination, as it could not
 * restore messages in flight at another parallelism.)
 */
final class PathProbes {

  private final int rank;
  private final int ranks;
  private final Consumer<PathProbe> network;
  private final Consumer<PathsOpen> coordinator;
  private final LatestAnswers heard;

  PathProbes(int rank, int ranks, Consumer<PathProbe> network, Consumer<PathsOpen> coordinator) {
    this.rank = rank;
    this.ranks = ranks;
    this.network = network;
    this.coordinator = coordinator;
    this.heard = new LatestAnswers(ranks);
  }

  /**
   * The coordinator wants to know. Probes go the way of messages, so also to this member itself.
   */
  void send(long forCheckpoint) {
    for (int to = 0; to < ranks; to++) {
      network.accept(new PathProbe(rank, to, forCheckpoint));
    }
  }

  /** Probes of a checkpoint may come before this member hears of it, or when it is over. */
  void receive(PathProbe probe) {
    if (heard.areAllWith(probe.from(), probe.checkpoint())) {
      coordinator.accept(new PathsOpen(probe.checkpoint()));
    }
  }
}
