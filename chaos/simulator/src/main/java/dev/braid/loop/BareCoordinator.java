package dev.braid.loop;

import dev.braid.loop.coordinator.LoopCoordinator;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Begun;
import dev.braid.loop.coordinator.LoopEvent.Joined;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.StoppingRule;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.messages.Acknowledge;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator.SubtaskGateway;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * The loop's coordinator without Flink, for members that run in a simulator's time. The caller does
 * the work of Flink: deploys members, begins, completes and aborts checkpoints, and fails over.
 */
public final class BareCoordinator {

  /** Number of a checkpoint that does not exist: members begin again. */
  public static final long NO_CHECKPOINT = OperatorCoordinator.NO_CHECKPOINT;

  /** Delivers events to members. */
  @FunctionalInterface
  public interface Channel {
    void send(int member, ToMember event);
  }

  /** Receives the coordinator's answer to a checkpoint. */
  public interface Outcome {

    /**
     * Called when all members are held; each resumes with {@code BareMember.resume}.
     *
     * @param state state of the coordinator for the checkpoint
     */
    void held(byte[] state);

    /**
     * Called when the checkpoint fails: members are not all running, or cannot reach each other.
     */
    void declined();
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

  private LoopCoordinator coordinator;
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
    coordinator.start();
  }

  private LoopCoordinator newCoordinator() {
    return new LoopCoordinator(() -> members, rule, withoutScore);
  }

  /** Deploys all members and lets them begin without an event. */
  public void startTogether() {
    startsTogether = true;
    for (int member = 0; member < members; member++) {
      deployed(member);
    }
    for (int member = 0; member < members; member++) {
      handle(member, new Joined(BUFFER_BYTES));
    }
    for (int member = 0; member < members; member++) {
      handle(member, new Begun());
    }
    startsTogether = false;
  }

  /** Deploys a member, which is about to restore its state; {@link #joined} follows. */
  public void deployed(int member) {
    coordinator.executionAttemptReady(member, attempt, new Gateway(member, attempt));
  }

  /** Returns the event by which a member reports that it has restored its state. */
  public static ToCoordinator joined() {
    return new Joined(BUFFER_BYTES);
  }

  /** Takes an event of a deployed member. */
  public void handle(int member, ToCoordinator event) {
    try {
      coordinator.handleEventFromOperator(member, attempt, event);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /**
   * Begins a checkpoint.
   *
   * @param number larger than those before, from 1
   */
  public void checkpoint(long number, Outcome outcome) {
    coordinator.checkpointCoordinator(
        number,
        // An exception of the outcome propagates to the caller that caused it.
        new CompletableFuture<>() {
          @Override
          public boolean complete(byte[] state) {
            outcome.held(state);
            return super.complete(state);
          }

          @Override
          public boolean completeExceptionally(Throwable reason) {
            outcome.declined();
            return super.completeExceptionally(reason);
          }
        });
  }

  /** Completes a checkpoint, which has the parts of all members. */
  public void completed(long number) {
    coordinator.notifyCheckpointComplete(number);
  }

  /** Aborts a checkpoint. */
  public void aborted(long number) {
    coordinator.notifyCheckpointAborted(number);
  }

  /**
   * Fails over: all members have failed and are deployed again, each with {@link #deployed}.
   *
   * @param checkpoint the last complete one, or {@link #NO_CHECKPOINT}
   * @param state state of the coordinator in this checkpoint
   */
  public void failOver(Failover how, long checkpoint, Optional<byte[]> state) {
    for (int member = 0; member < members; member++) {
      coordinator.executionAttemptFailed(member, attempt, new Exception("simulated"));
    }
    attempt++;
    switch (how) {
      case REGION -> {
        for (int member = 0; member < members; member++) {
          coordinator.subtaskReset(member, checkpoint);
        }
      }
      case JOB -> reset(checkpoint, state);
      case JOB_MANAGER -> {
        coordinator.close();
        coordinator = newCoordinator();
        reset(checkpoint, state);
        coordinator.start();
      }
    }
  }

  private void reset(long checkpoint, Optional<byte[]> state) {
    try {
      coordinator.resetToCheckpoint(checkpoint, state.orElse(null));
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private final class Gateway implements SubtaskGateway {
    private final int member;
    private final int ofAttempt;

    Gateway(int member, int ofAttempt) {
      this.member = member;
      this.ofAttempt = ofAttempt;
    }

    @Override
    public CompletableFuture<Acknowledge> sendEvent(OperatorEvent event) {
      if (ofAttempt != attempt) {
        throw new IllegalStateException(event + " for member " + member + ", which has failed");
      }
      if (!(startsTogether && event instanceof Begin)) {
        channel.send(member, (ToMember) event);
      }
      return CompletableFuture.completedFuture(Acknowledge.get());
    }

    @Override
    public ExecutionAttemptID getExecution() {
      throw new UnsupportedOperationException("no execution is needed here");
    }

    @Override
    public int getSubtask() {
      return member;
    }
  }
}
