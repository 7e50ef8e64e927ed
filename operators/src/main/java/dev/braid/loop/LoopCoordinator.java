package dev.braid.loop;

import dev.braid.loop.LoopEvent.Done;
import dev.braid.loop.LoopEvent.EpochScore;
import dev.braid.loop.LoopEvent.Finish;
import dev.braid.loop.LoopEvent.Freeze;
import dev.braid.loop.LoopEvent.Frozen;
import dev.braid.loop.LoopEvent.Held;
import dev.braid.loop.LoopEvent.HoldAfter;
import dev.braid.loop.LoopEvent.PathsOpen;
import dev.braid.loop.LoopEvent.ProbePaths;
import dev.braid.loop.LoopEvent.Resume;
import dev.braid.loop.LoopEvent.ToMember;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.util.FlinkException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the loop before a checkpoint's barriers may come, decides with all members' scores
 * whether the target is reached, and ends the job when all are done.
 *
 * <p>A checkpoint begins when every member can be reached by every other ({@link PathProbes});
 * until then training goes on, and Flink may abort it meanwhile. It holds the loop in two steps:
 * every member freezes and says how many rounds it has completed; all then bring the largest such
 * number to an end, from messages that are already sent, and set back what is beyond. (Going on to
 * the largest number of rounds <em>begun</em> would need no roll-back, but waits for gradients, and
 * for stragglers.) The sequence is never cut short: when the checkpoint is aborted meanwhile, all
 * are held first and then told to go on.
 *
 * <p>Flink calls all methods in the job's main thread.
 */
final class LoopCoordinator implements OperatorCoordinator {

  private static final Logger LOG = LoggerFactory.getLogger(LoopCoordinator.class);

  /** A checkpoint that waits for the loop to be held. */
  private static final class Holding {
    final long checkpoint;
    final CompletableFuture<byte[]> future;
    boolean frozen;
    boolean aborted;
    long rounds;

    Holding(long checkpoint, CompletableFuture<byte[]> future) {
      this.checkpoint = checkpoint;
      this.future = future;
    }
  }

  private final Context context;
  private final EpochVerdicts verdicts;
  private final Deque<Holding> waiting = new ArrayDeque<>();

  private MemberTable members;
  private Optional<Holding> holding = Optional.empty();
  private boolean finishing;

  LoopCoordinator(Context context, OptionalDouble targetAccuracy) {
    this.context = context;
    this.verdicts = new EpochVerdicts(targetAccuracy);
    this.members = new MemberTable(0);
  }

  @Override
  public void start() {
    reset();
  }

  @Override
  public void close() {
    failHolding("the job ends");
  }

  // ---- checkpoints ---------------------------------------------------------------------------

  @Override
  public void checkpointCoordinator(long checkpoint, CompletableFuture<byte[]> future) {
    if (finishing) {
      // The loop is empty for good, and members may be gone already.
      future.complete(verdicts.toBytes());
    } else {
      waiting.add(new Holding(checkpoint, future));
      holdNext();
    }
  }

  private void holdNext() {
    if (holding.isPresent() || waiting.isEmpty()) {
      return;
    }
    Holding next = waiting.remove();
    if (!members.allReady()) {
      next.future.completeExceptionally(
          new FlinkException("not all " + members.size() + " workers are running"));
      holdNext();
      return;
    }
    holding = Optional.of(next);
    members.clearAnswers();
    sendToAll(new ProbePaths(next.checkpoint));
  }

  private void pathsOpen(int subtask, PathsOpen event) {
    Holding current = holding.orElse(null);
    if (current == null || current.checkpoint != event.checkpoint() || current.frozen) {
      return;
    }
    if (members.answered(subtask)) {
      current.frozen = true;
      members.clearAnswers();
      sendToAll(new Freeze(current.checkpoint));
    }
  }

  private void frozen(int subtask, Frozen event) {
    Holding current = holding.orElse(null);
    if (current == null || current.checkpoint != event.checkpoint()) {
      return;
    }
    current.rounds = Math.max(current.rounds, event.completedRounds());
    if (members.answered(subtask)) {
      members.clearAnswers();
      sendToAll(new HoldAfter(current.checkpoint, current.rounds));
    }
  }

  private void held(int subtask, Held event) {
    Holding current = holding.orElse(null);
    if (current == null || current.checkpoint != event.checkpoint()) {
      return;
    }
    if (!members.answered(subtask)) {
      return;
    }
    holding = Optional.empty();
    LOG.debug("loop held after {} rounds for checkpoint {}", current.rounds, current.checkpoint);
    if (current.aborted) {
      sendToAll(new Resume(current.checkpoint));
    } else {
      current.future.complete(verdicts.toBytes());
    }
    finishIfAllDone();
    holdNext();
  }

  @Override
  public void notifyCheckpointAborted(long checkpoint) {
    if (waiting.removeIf(next -> next.checkpoint == checkpoint)) {
      return;
    }
    if (holding.isPresent() && holding.get().checkpoint == checkpoint) {
      if (holding.get().frozen) {
        holding.get().aborted = true;
      } else {
        holding = Optional.empty();
        holdNext();
      }
    } else if (members.allReady()) {
      // All were held; those whose barrier has not come yet still are.
      sendToAll(new Resume(checkpoint));
    }
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) {}

  // ---- members -------------------------------------------------------------------------------

  @Override
  public void handleEventFromOperator(int subtask, int attempt, OperatorEvent event)
      throws Exception {
    if (!members.isCurrent(subtask, attempt)) {
      return;
    }
    if (event instanceof PathsOpen open) {
      pathsOpen(subtask, open);
    } else if (event instanceof Frozen frozen) {
      frozen(subtask, frozen);
    } else if (event instanceof Held held) {
      held(subtask, held);
    } else if (event instanceof EpochScore score) {
      verdicts
          .score(subtask, members.size(), score)
          .ifPresent(verdict -> verdict.addressees().forEach(to -> send(to, verdict.event())));
    } else if (event instanceof Done) {
      members.done(subtask);
      finishIfAllDone();
    } else {
      throw new FlinkException("event from worker " + subtask + " is not known: " + event);
    }
  }

  private void finishIfAllDone() {
    // In the middle of holding, members still owe an answer.
    boolean isHolding = holding.isPresent() && holding.get().frozen;
    if (!finishing && !isHolding && members.allDone()) {
      finishing = true;
      holding.ifPresent(waiting::add);
      holding = Optional.empty();
      sendToAll(new Finish());
      waiting.forEach(next -> next.future.complete(verdicts.toBytes()));
      waiting.clear();
    }
  }

  @Override
  public void executionAttemptReady(int subtask, int attempt, SubtaskGateway gateway) {
    members.ready(subtask, attempt, gateway);
  }

  @Override
  public void executionAttemptFailed(int subtask, int attempt, Throwable reason) {
    members.failed(subtask, attempt);
    failHolding("worker " + subtask + " failed");
  }

  @Override
  public void subtaskReset(int subtask, long checkpoint) {
    // Workers are one pipelined region: they are all reset, one after the other.
    reset();
  }

  @Override
  public void resetToCheckpoint(long checkpoint, byte[] state) throws Exception {
    reset();
    if (state != null) {
      verdicts.fromBytes(state);
    }
  }

  private void reset() {
    failHolding("workers restart");
    finishing = false;
    members = new MemberTable(context.currentParallelism());
    verdicts.forgetScores();
  }

  private void failHolding(String reason) {
    holding.ifPresent(waiting::add);
    holding = Optional.empty();
    waiting.forEach(next -> next.future.completeExceptionally(new FlinkException(reason)));
    waiting.clear();
  }

  private void sendToAll(ToMember event) {
    for (int subtask = 0; subtask < members.size(); subtask++) {
      send(subtask, event);
    }
  }

  private void send(int subtask, ToMember event) {
    members
        .gateway(subtask)
        .ifPresent(
            gateway -> {
              // An event that cannot be delivered makes Flink fail the task: no need to look.
              var unused = gateway.sendEvent(event);
            });
  }
}
