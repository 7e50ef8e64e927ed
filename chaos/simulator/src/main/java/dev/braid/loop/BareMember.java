package dev.braid.loop;

import dev.braid.loop.coordinator.LoopEvent.PathsOpen;
import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.envelope.Envelope.Letter;
import java.util.function.Consumer;

/**
 * A member's place in the loop without Flink: its {@link HoldProtocol}. Paths between members are
 * always open.
 */
public final class BareMember {

  private final HoldProtocol protocol;
  private final Consumer<ToCoordinator> coordinator;

  /** A member that has begun. */
  public BareMember(LoopMember member, Consumer<ToCoordinator> coordinator) {
    this.protocol = new HoldProtocol(member, coordinator);
    this.coordinator = coordinator;
  }

  /** Takes an event of the coordinator, after the one by which the member has begun. */
  public void handle(ToMember event) {
    if (event instanceof ProbePaths probe) {
      coordinator.accept(new PathsOpen(probe.checkpoint()));
    } else {
      protocol.handle(event);
    }
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
