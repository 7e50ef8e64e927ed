package dev.braid.loop.coordinator;

import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Begun;
import dev.braid.loop.coordinator.LoopEvent.Joined;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.util.BitSet;
import java.util.Optional;

/**
 * The loop's {@link Coordinator} for members that run in a simulator's time. The caller does the
 * work of Flink: deploys members, begins, completes and aborts checkpoints, and fails over.
 */
public final class BareCoordinator implements CoordinatorGateway {

  /** Delivers events to members. */
  @FunctionalInterface
  public interface Channel {
    void send(int member, ToMember event);
  }

  /** Scope of a restart after tasks have failed. */
  public enum Failover {
    /** The region of all members; the coordinator stays. */
    REGION,
    /** The whole job, in the same JobManager. */
    JOB,
    /** The job in another JobManager, with another coordinator. */
    JOB_MANAGER
  }

  private static final int BUFFER_BYTES = 1;

  private final int members;
  private final StoppingRule rule;
  private final int withoutScore;
  private final Channel channel;
  private final BitSet deployed = new BitSet();

  private Coordinator coordinator;
  private int attempt;
  private boolean startsTogether;

  /**
   * Creates a coordinator whose members are not deployed.
   *
   * @param withoutScore number of members, the last ones, that evaluate nothing
   */
  public BareCoordinator(int members, StoppingRule rule, int withoutScore, Channel channel) {
    this.members = members;
    this.rule = rule;
    this.withoutScore = withoutScore;
    this.channel = channel;
    this.coordinator = newCoordinator();
  }

  private Coordinator newCoordinator() {
    return new Coordinator(members, rule, withoutScore, this);
  }

  /** Deploys all members and lets them begin without an event. */
  public void startTogether() {
    startsTogether = true;
    for (int member = 0; member < members; member++) {
      deployed(member);
    }
    for (int member = 0; member < members; member++) {
      handle(member, new Joined(BUFFER_BYTES, 0));
    }
    for (int member = 0; member < members; member++) {
      handle(member, new Begun());
    }
    startsTogether = false;
  }

  /** Deploys a member, which is about to restore its state; {@link #joined} follows. */
  public void deployed(int member) {
    deployed.set(member);
    coordinator.deployed(member, attempt);
  }

  /** Returns the event by which a member reports that it has restored its state. */
  public static ToCoordinator joined() {
    return new Joined(BUFFER_BYTES, 0);
  }

  /** Takes an event of a deployed member. */
  public void handle(int member, ToCoordinator event) {
    coordinator.handle(member, attempt, event);
  }

  /**
   * Begins a checkpoint.
   *
   * @param number larger than those before, from 1
   */
  public void checkpoint(long number, HoldOutcome outcome) {
    coordinator.checkpoint(number, outcome);
  }

  /** Completes a checkpoint, which has the parts of all members. */
  public void completed(long number) {
    coordinator.completed(number);
  }

  /** Aborts a checkpoint. */
  public void aborted(long number) {
    coordinator.aborted(number);
  }

  /**
   * Fails over: all members have failed and are deployed again, each with {@link #deployed}.
   *
   * @param checkpoint the last complete one, or {@link Coordinator#NO_CHECKPOINT}
   * @param state state of the coordinator in this checkpoint
   */
  public void failOver(Failover how, long checkpoint, Optional<byte[]> state) {
    for (int member = 0; member < members; member++) {
      coordinator.failed(member, attempt);
    }
    attempt++;
    deployed.clear();
    switch (how) {
      case REGION -> {
        for (int member = 0; member < members; member++) {
          coordinator.goBackTo(checkpoint);
        }
      }
      case JOB -> restore(checkpoint, state);
      case JOB_MANAGER -> {
        coordinator.close();
        coordinator = newCoordinator();
        restore(checkpoint, state);
      }
    }
  }

  private void restore(long checkpoint, Optional<byte[]> state) {
    try {
      coordinator.restore(checkpoint, state);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- the coordinator's gateway ---------------------------------------------------------------

  @Override
  public void send(int member, ToMember event) {
    if (!deployed.get(member)) {
      throw new IllegalStateException(event + " for member " + member + ", which has failed");
    }
    if (!(startsTogether && event instanceof Begin)) {
      channel.send(member, event);
    }
  }

  @Override
  public long nowMillis() {
    return 0;
  }

  @Override
  public void log(Level level, String message) {}
}
