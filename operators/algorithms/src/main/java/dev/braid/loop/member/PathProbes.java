package dev.braid.loop.member;

import dev.braid.loop.coordinator.LatestAnswers;
import dev.braid.loop.coordinator.LoopEvent.PathsOpen;
import dev.braid.loop.envelope.Envelope.PathProbe;
import java.util.function.Consumer;

/**
 * A member's side of a check before a checkpoint: whether the network carries messages from every
 * member to every other.
 *
 * <p>If it does not, a barrier would not arrive. Because barriers are aligned, a member that waits
 * for it would read nothing from the other members either. Training would stand still until the
 * network works again, although the exchange could take another route. No checkpoint begins before
 * all paths are open; {@code BarrierWatch} handles paths that are cut later. (Unaligned barriers
 * wait for nothing, but Flink does not support them on an edge that is partitioned by destination,
 * because it could not restore messages in flight with another parallelism.)
 */
public final class PathProbes {

  private final int rank;
  private final int ranks;
  private final Consumer<PathProbe> network;
  private final Consumer<PathsOpen> coordinator;
  private final LatestAnswers heard;

  /**
   * Creates the probes of a member.
   *
   * @param network sends a probe to a member
   */
  public PathProbes(
      int rank, int ranks, Consumer<PathProbe> network, Consumer<PathsOpen> coordinator) {
    this.rank = rank;
    this.ranks = ranks;
    this.network = network;
    this.coordinator = coordinator;
    this.heard = new LatestAnswers(ranks);
  }

  /**
   * Sends probes to all members for the coordinator. Probes take the way of barriers, so one also
   * goes to this member itself.
   */
  public void send(long forCheckpoint) {
    for (int to = 0; to < ranks; to++) {
      network.accept(new PathProbe(rank, to, forCheckpoint));
    }
  }

  /**
   * Handles a probe. Probes of a checkpoint may arrive before this member learns of the checkpoint,
   * or after its end.
   */
  public void receive(PathProbe probe) {
    if (heard.areAllWith(probe.from(), probe.checkpoint())) {
      coordinator.accept(new PathsOpen(probe.checkpoint()));
    }
  }
}
