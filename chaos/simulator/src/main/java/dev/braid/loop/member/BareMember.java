package dev.braid.loop.member;

import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.Envelope.PathProbe;
import java.util.function.Consumer;

/** A member of the loop without Flink: its {@link HoldProtocol} and {@link PathProbes}. */
public final class BareMember {

  /** Carries probes to members, the sender included, in order for each pair of members. */
  @FunctionalInterface
  public interface Paths {
    void probe(int to, long checkpoint);
  }

  private final HoldProtocol protocol;
  private final PathProbes probes;
  private final int rank;

  /** Creates a member that has begun. */
  public BareMember(
      int rank, int ranks, LoopMember member, Paths paths, Consumer<ToCoordinator> coordinator) {
    this.rank = rank;
    this.protocol = new HoldProtocol(member, coordinator);
    this.probes =
        new PathProbes(
            rank, ranks, probe -> paths.probe(probe.to(), probe.checkpoint()), coordinator::accept);
  }

  /** Takes an event of the coordinator, after the one that made the member begin. */
  public void handle(ToMember event) {
    if (event instanceof ProbePaths probe) {
      probes.send(probe.checkpoint());
    } else {
      protocol.handle(event);
    }
  }

  /** Takes a probe of a member. */
  public void probe(int from, long checkpoint) {
    probes.receive(new PathProbe(from, rank, checkpoint));
  }

  /** Takes a letter of another member. */
  public void receive(Letter letter) {
    protocol.receive(letter);
  }

  /** Checks whether the member has completed a round, received a batch, or become quiet. */
  public void roundsAdvanced() {
    protocol.roundsAdvanced();
  }

  /** Returns the number of the checkpoint that letters of this member carry. */
  public long incarnation() {
    return protocol.incarnation();
  }

  /** Returns whether a snapshot at this moment is part of a consistent whole. */
  public boolean isHeld() {
    return protocol.isHeld();
  }

  /** Returns whether the member is held for this checkpoint. */
  public boolean isHeldFor(long checkpoint) {
    return protocol.isHeldFor(checkpoint);
  }

  /** Resumes after the member's snapshot for this checkpoint. */
  public void resume(long checkpoint) {
    protocol.resume(checkpoint);
  }
}
