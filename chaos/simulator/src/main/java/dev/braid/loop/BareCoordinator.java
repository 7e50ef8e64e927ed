package dev.braid.loop;

import dev.braid.loop.coordinator.LoopCoordinator;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Begun;
import dev.braid.loop.coordinator.LoopEvent.Joined;
import dev.braid.loop.coordinator.LoopEvent.PathsOpen;
import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.StoppingRule;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.messages.Acknowledge;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator.SubtaskGateway;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * The loop's coordinator without Flink: for members that run in a time of their own, as a
 * simulator's do, each with its {@link HoldProtocol}. All members have begun. Paths between them
 * are open: a checkpoint need not find that out.
 */
public final class BareCoordinator {

  /** Takes events to members. */
  @FunctionalInterface
  public interface Channel {
    void send(int member, ToMember event);
  }

  /** What becomes of a checkpoint. */
  public interface Outcome {

    /** All members are held: each goes on with {@link HoldProtocol#resume}. */
    void held();

    /** Some member cannot be reached: all are told to carry on. */
    void declined();
  }

  private static final int ATTEMPT = 0;
  private static final int BUFFER_BYTES = 1;

  private final LoopCoordinator coordinator;
  private final Channel channel;

  /** Of so many members, of which none asks for a verdict. */
  public BareCoordinator(int members, Channel channel) {
    this.channel = channel;
    this.coordinator = new LoopCoordinator(() -> members, StoppingRule.NONE, 0);
    coordinator.start();
    for (int member = 0; member < members; member++) {
      coordinator.executionAttemptReady(member, ATTEMPT, new Gateway(member));
    }
    IntStream.range(0, members).forEach(member -> handle(member, new Joined(BUFFER_BYTES)));
    IntStream.range(0, members).forEach(member -> handle(member, new Begun()));
  }

  /** A member has said something. */
  public void handle(int member, ToCoordinator event) {
    try {
      coordinator.handleEventFromOperator(member, ATTEMPT, event);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /**
   * A checkpoint begins.
   *
   * @param number larger than of those before, from 1
   */
  public void checkpoint(long number, Outcome outcome) {
    coordinator.checkpointCoordinator(
        number,
        // What the outcome throws comes out of the call that leads to it.
        new CompletableFuture<>() {
          @Override
          public boolean complete(byte[] state) {
            outcome.held();
            return super.complete(state);
          }

          @Override
          public boolean completeExceptionally(Throwable reason) {
            outcome.declined();
            return super.completeExceptionally(reason);
          }
        });
  }

  private void send(int member, ToMember event) {
    if (event instanceof ProbePaths probe) {
      handle(member, new PathsOpen(probe.checkpoint()));
    } else if (!(event instanceof Begin)) {
      channel.send(member, event);
    }
  }

  private final class Gateway implements SubtaskGateway {
    private final int member;

    Gateway(int member) {
      this.member = member;
    }

    @Override
    public CompletableFuture<Acknowledge> sendEvent(OperatorEvent event) {
      send(member, (ToMember) event);
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
