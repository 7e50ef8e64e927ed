package dev.braid.loop;

import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.Envelope.PathProbe;
import java.util.function.Consumer;

/** A member's place in the loop without Flink: its {@link HoldProtocol} and {@link PathProbes}. */
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

  /** Takes an event of the coordinator, after the one by which the member has begun. */
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

  /** The member may have completed a round, have got a batch, or be quiet now. */
  public void roundsAdvanced() {
    protocol.roundsAdvanced();
  }

  /** The checkpoint that letters of this member carry. */
  public long incarnation() {
    return protocol.incarnation();
  }

  /** Whether a snapshot that is taken now is part of a consistent whole. */
  public boolean isHeld() {
    return protocol.isHeld();
  }

  /** Whether the member is held for this checkpoint. */
  public boolean isHeldFor(long checkpoint) {
    return protocol.isHeldFor(checkpoint);
  }

  /** Goes on after the member's snapshot for this checkpoint. */
  public void resume(long checkpoint) {
    protocol.resume(checkpoint);
  }
}
