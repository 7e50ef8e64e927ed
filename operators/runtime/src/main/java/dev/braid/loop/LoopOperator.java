package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.loop.LastRounds.LastRound;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import dev.braid.loop.coordinator.LoopEvent.BarrierComes;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.CountRounds;
import dev.braid.loop.coordinator.LoopEvent.InputIsOver;
import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.Recovered;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.coordinator.Recovery;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.Envelope.Pace;
import dev.braid.loop.envelope.Envelope.PathProbe;
import dev.braid.loop.envelope.Envelope.RoundSeen;
import dev.braid.loop.envelope.Envelope.RoundsBegin;
import dev.braid.loop.member.HoldProtocol;
import dev.braid.loop.member.LoopMember;
import dev.braid.loop.member.LoopPort;
import dev.braid.loop.member.PathProbes;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.runtime.operators.coordination.OperatorEventHandler;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.util.ConfigurationParserUtils;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.FlinkException;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * An operator at the head of a loop: its main output leads, through the links, back to the members'
 * mailboxes. This class implements Flink's side of the loop; the subclass provides the member.
 *
 * <p>Life cycle: when all members of the loop are open, {@code begin} starts the subclass's member
 * with {@link #startMember}. From then on all calls to the member are mails of this task's thread.
 * A snapshot is taken while the loop is held, and the member resumes in a mail right after it.
 *
 * @param <IN> type of the members' elements
 */
public abstract class LoopOperator<IN> extends AbstractStreamOperator<Envelope>
    implements OneInputStreamOperator<IN, Envelope>, OperatorEventHandler, LoopPort {

  private static final long serialVersionUID = 1L;

  private final transient MailboxExecutor mailbox;
  private final transient OperatorEventGateway coordinator;
  private final transient StreamRecord<Envelope> record = new StreamRecord<>(null);

  /** Opened in the constructor: Flink creates a source's reader before it opens the operators. */
  private final transient SourceGate gate;

  private transient FeedbackEdge edge;
  private transient boolean isStraight;

  /** Empty if an operator between the workers needs letters. */
  private transient Optional<NearRanks> near;

  private transient HoldProtocol protocol;
  private transient PathProbes pathProbes;
  private transient LoopEnd loopEnd;
  private transient int chunkLength;
  private transient List<Long> edges;
  private transient boolean finished;
  private transient boolean hasSent;
  private transient Optional<LastRound> lastRound;

  protected LoopOperator(StreamOperatorParameters<Envelope> parameters) {
    super(parameters);
    mailbox = parameters.getMailboxExecutor();
    coordinator = parameters.getOperatorEventDispatcher().getOperatorEventGateway(getOperatorID());
    parameters.getOperatorEventDispatcher().registerEventHandler(getOperatorID(), this);
    gate = SourceGate.open(getContainingTask().getEnvironment().getExecutionId().toString());
    gate.onInputEnd(() -> tell(new LoopEvent.InputEnded()));
  }

  @Override
  public void open() throws Exception {
    super.open();
    lastRound = Optional.empty();
    edge = FeedbackEdge.open(mailbox);
    // As this TaskManager's network stack reads it: the client that submitted the job may have
    // another taskmanager.memory.segment-size.
    int bufferBytes =
        ConfigurationParserUtils.getPageSize(
            getContainingTask().getEnvironment().getTaskManagerInfo().getConfiguration());
    // Joining in a mail makes sure that the whole task is open. If something fails before, Flink
    // reports that failure rather than the loss of an event to a failed task.
    mailbox.execute(() -> join(bufferBytes), "join the loop");
  }

  private void join(int bufferBytes) {
    LastRounds.of(job())
        .ifPresent(
            round ->
                tell(
                    new LoopEvent.StoodStill(
                        round.completedRounds(), round.quietMillis(System.nanoTime()))));
    tell(new LoopEvent.Joined(bufferBytes, edge.number()));
  }

  /** Lets letters to workers in this JVM go straight to them. Called before the task opens. */
  final void goStraight() {
    isStraight = true;
  }

  /** Returns the job's id. */
  protected final String job() {
    return getRuntimeContext().getJobInfo().getJobId().toString();
  }

  /**
   * Creates and starts this operator's member, when all members of the loop are open.
   *
   * @param chunkLength maximum number of values in a message, chosen so that the messages in flight
   *     on a link fit into its network buffers; the same for all members
   */
  protected abstract void begin(int chunkLength) throws Exception;

  private void begin(Begin event) {
    chunkLength = EnvelopeSerializer.chunkLength(event.bufferBytes());
    edges = event.edges();
    try {
      begin(chunkLength);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new FlinkRuntimeException("the worker cannot start: " + e.getMessage(), e);
    }
  }

  /** Connects the member to the loop. Called once, by the subclass's {@code begin}. */
  protected final void startMember(LoopMember member) {
    protocol = new HoldProtocol(member, this::tell);
    int rank = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    pathProbes = new PathProbes(rank, edges.size(), this::emit, this::tell);
    loopEnd = LoopEnd.join(job());
    near = isStraight ? Optional.of(new NearRanks(edges, chunkLength)) : Optional.empty();
    edge.begin(this::receive);
    tell(new LoopEvent.Begun());
    emit(new Greeting(rank, edge.number(), FeedbackEdge.JVM, FeedbackEdge.host()));
  }

  private void receive(Envelope envelope) {
    if (envelope instanceof Letter letter) {
      arrived(letter.message());
      protocol.receive(letter);
    } else if (envelope instanceof PathProbe probe) {
      pathProbes.receive(probe);
    } else if (envelope instanceof Pace pace) {
      slowDown(pace.slowdown());
    } else if (envelope instanceof RoundSeen seen) {
      tellLinks(seen.round());
    } else {
      throw new IllegalStateException("unexpected envelope for a worker: " + envelope);
    }
  }

  /** Informs the links of the other ranks of a round; this rank's own links know it already. */
  private void tellLinks(long round) {
    TaskInfo task = getRuntimeContext().getTaskInfo();
    for (int rank = 0; rank < task.getNumberOfParallelSubtasks() && !finished; rank++) {
      if (rank != task.getIndexOfThisSubtask()) {
        emit(new RoundSeen(rank, round));
      }
    }
  }

  /** Counts a message that has come over a link. */
  protected void arrived(Message message) {}

  /**
   * Makes the member compute {@code slowdown} times slower than it could, until the next call. A
   * member that computes nothing ignores it.
   */
  protected void slowDown(double slowdown) {}

  /**
   * Reports that training continues after a failure.
   *
   * @param recoveries the known recoveries, of which this one is the last
   */
  protected void recovered(List<Recovery> recoveries) {}

  /** Returns the gate of the source that is chained in front of this operator. */
  protected final SourceGate sourceGate() {
    return gate;
  }

  /** Returns the executor of this task's thread, for use by other threads. */
  protected final MailboxExecutor mailbox() {
    return mailbox;
  }

  /** Returns the location of this member, for people. */
  protected static final String host() {
    return FeedbackEdge.host();
  }

  /** Returns whether a snapshot at this moment is part of a consistent whole. */
  protected final boolean isQuiet() {
    return finished || protocol.isHeld();
  }

  /**
   * Returns whether the loop is held for the snapshot of this checkpoint, which is about to be
   * taken.
   */
  protected final boolean isHeldFor(long checkpoint) {
    return !finished && protocol.isHeldFor(checkpoint);
  }

  @Override
  public void handleOperatorEvent(OperatorEvent event) {
    if (!(event instanceof LoopOperatorEvent ofLoop)
        || !(ofLoop.event() instanceof ToMember toMember)) {
      throw new IllegalArgumentException("unknown event for a worker: " + event);
    }
    if (toMember instanceof Begin begin) {
      begin(begin);
    } else if (toMember instanceof ProbePaths probe) {
      pathProbes.send(probe.checkpoint());
    } else if (toMember instanceof Recovered recovered) {
      recovered(recovered.recoveries());
    } else if (toMember instanceof BarrierComes) {
      gate.awaitBarrier(true);
    } else if (toMember instanceof CountRounds) {
      tell(new LoopEvent.RoundsCounted(gate.countRounds()));
    } else if (toMember instanceof InputIsOver over) {
      gate.endAfter(over.rounds());
    } else {
      if (toMember instanceof AwaitRound await) {
        limit(await);
      }
      protocol.handle(toMember);
      if (!protocol.isHolding()) {
        gate.awaitBarrier(false);
      }
    }
  }

  /**
   * Limits the wait for a round: after that time the loop is held, whether a round is complete or
   * not.
   */
  private void limit(AwaitRound await) {
    long now = getProcessingTimeService().getCurrentProcessingTime();
    var unused =
        getProcessingTimeService()
            .registerTimer(
                now + await.atMostMillis(),
                time -> {
                  if (!finished) {
                    tell(new LoopEvent.HoldDue(await.checkpoint()));
                  }
                });
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    if (finished) {
      // No member is held after the end, and the mailbox may be closed.
      return;
    }
    long checkpoint = context.getCheckpointId();
    // A mail, because the barrier has been sent but the snapshot of this task is not over yet.
    mailbox.execute(() -> resume(checkpoint), "continue after checkpoint %s", checkpoint);
  }

  private void resume(long checkpoint) {
    gate.awaitBarrier(false);
    protocol.resume(checkpoint);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Fails if a user stops the job with {@code --drain}, which ends the sources' input in the
   * middle of training: the loop has not ended then, and its results are incomplete.
   */
  @Override
  public void finish() throws Exception {
    if (!finished) {
      throw new FlinkException(
          "training cannot be drained before its end: stop the job without --drain");
    }
    super.finish();
  }

  @Override
  public void close() throws Exception {
    if (lastRound != null && !finished) {
      lastRound.ifPresent(round -> LastRounds.note(job(), round));
    }
    if (edge != null) {
      edge.close();
    }
    if (loopEnd != null) {
      loopEnd.close();
    }
    gate.close();
    super.close();
  }

  // ---- the member's port -----------------------------------------------------------------------

  @Override
  public final void send(Message message) {
    if (!hasSent) {
      hasSent = true;
      int ranks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
      for (int rank = 0; rank < ranks; rank++) {
        emit(new RoundsBegin(rank));
      }
    }
    Letter letter = new Letter(protocol.incarnation(), message);
    if (near.isEmpty() || !near.get().handOver(letter)) {
      emit(letter);
    }
  }

  @Override
  public final void tell(LoopEvent.ToCoordinator event) {
    coordinator.sendEventToCoordinator(new LoopOperatorEvent(event));
  }

  @Override
  public final void roundsAdvanced() {
    protocol.roundsAdvanced();
  }

  @Override
  public final void roundDone(long completedRounds) {
    if (lastRound.isEmpty()) {
      tell(new LoopEvent.FirstRound(completedRounds));
    }
    lastRound = Optional.of(new LastRound(completedRounds, System.nanoTime()));
  }

  @Override
  public final void end() {
    finished = true;
    LastRounds.forget(job());
    tell(new LoopEvent.Ended());
    gate.finish();
    loopEnd.reach();
  }

  private void emit(Envelope envelope) {
    output.collect(record.replace(envelope));
  }
}
