package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.loop.Durations.Kind;
import dev.braid.loop.LoopSimulation.SimulatedMember;
import dev.braid.loop.coordinator.LoopCoordinator;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.loop.coordinator.LoopEvent.AwaitRound;
import dev.braid.loop.coordinator.LoopEvent.Begin;
import dev.braid.loop.coordinator.LoopEvent.Joined;
import dev.braid.loop.coordinator.LoopEvent.ProbePaths;
import dev.braid.loop.coordinator.LoopEvent.ToCoordinator;
import dev.braid.loop.coordinator.LoopEvent.ToMember;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.Envelope.PathProbe;
import dev.braid.vector.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.messages.Acknowledge;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * One attempt of one worker's task in a {@link LoopSimulation}: its member with the real hold
 * protocol and probes, its mailbox, and what is under way between it and the coordinator.
 */
final class SimulatedSubtask implements LoopPort {

  /** What happens around a subtask, as far as it depends on that. */
  interface Surroundings {

    LoopCoordinator coordinator();

    SimulatedNetwork network();

    Durations durations();

    long step();

    /** Whether letters from this rank to that one are lost. */
    boolean isLost(int from, int to);

    /** Whether all members have ended. */
    boolean allHaveEnded();

    /** Whether Flink keeps back what the coordinator tells this rank, until its snapshot. */
    boolean keepsEventsBack(int rank);

    /** The coordinator has told this rank something. */
    void told(int rank, OperatorEvent event);
  }

  /** Makes the subtask's member. */
  interface Creation {
    SimulatedMember create(LoopPort port, SimulatedWork work);
  }

  private final int rank;
  private final int attempt;
  private final Surroundings around;

  /** The member's beginning, until which nothing reaches it. */
  private final DelayedQueue start = new DelayedQueue();

  /** From the coordinator: in order, but not with what comes through the loop. */
  private final DelayedQueue events = new DelayedQueue();

  private final DelayedQueue toCoordinator = new DelayedQueue();

  /** Until the loop is held, whether a round is complete or not. */
  private final DelayedQueue patience = new DelayedQueue();

  private final Deque<Runnable> mailbox = new ArrayDeque<>();

  /** Flink delivers no event to a worker between a hold and the worker's snapshot. */
  private final List<Runnable> keptBack = new ArrayList<>();

  private final SimulatedWork work;
  private final SimulatedMember member;
  private final HoldProtocol protocol;
  private final PathProbes probes;

  /** Events that were sent before barriers were released come before them. */
  private int eventsUnderWay;

  private boolean begun;
  private boolean ended;

  /** A subtask whose state is being restored. */
  SimulatedSubtask(int rank, int ranks, int attempt, Surroundings around, Creation creation) {
    this.rank = rank;
    this.attempt = attempt;
    this.around = around;
    this.work = new SimulatedWork(around.durations(), around::step);
    this.member = creation.create(this, work);
    this.protocol = new HoldProtocol(member, this::tell);
    this.probes = new PathProbes(rank, ranks, this::carry, this::tell);
  }

  /** Restores its state, which takes a while; it has so many bytes in a buffer. */
  void restore(int bufferBytes) {
    // Flink says so before the member's state is restored.
    later(
        toCoordinator,
        () -> around.coordinator().executionAttemptReady(rank, attempt, new Gateway()));
    start.addWork(
        around.step(), around.durations().draw(Kind.RESTORE), () -> tell(new Joined(bufferBytes)));
  }

  SimulatedMember member() {
    return member;
  }

  HoldProtocol protocol() {
    return protocol;
  }

  boolean hasBegun() {
    return begun;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Whether its barrier would come next: nothing of the coordinator's is before it. */
  boolean mayTrigger() {
    return eventsUnderWay == 0;
  }

  /** When the first of what is under way will be there, without anybody doing anything. */
  long nextStep() {
    long ofCoordinator = Math.min(toCoordinator.nextStep(), events.nextStep());
    long ofWork = Math.min(work.source().nextStep(), work.computeThread().nextStep());
    long ofTimers = Math.min(start.nextStep(), patience.nextStep());
    return Math.min(ofTimers, Math.min(ofCoordinator, ofWork));
  }

  /** Whether it, or the coordinator to it, has said what has not been heard. */
  boolean saysMore() {
    return !mailbox.isEmpty() || !events.isEmpty() || !toCoordinator.isEmpty();
  }

  /** Whether its state is restored: events come from then on. */
  boolean isRestored() {
    return start.isEmpty();
  }

  DelayedQueue start() {
    return start;
  }

  DelayedQueue events() {
    return events;
  }

  DelayedQueue toCoordinator() {
    return toCoordinator;
  }

  DelayedQueue patience() {
    return patience;
  }

  Deque<Runnable> mailbox() {
    return mailbox;
  }

  SimulatedWork work() {
    return work;
  }

  /** Takes what has come through the loop. */
  void take(Envelope envelope) {
    if (envelope instanceof Letter letter) {
      mailbox.add(() -> protocol.receive(letter));
    } else if (envelope instanceof PathProbe probe) {
      mailbox.add(() -> probes.receive(probe));
    }
  }

  /** Its snapshot is taken, or will not be: what was kept back goes on its way. */
  void releaseEvents() {
    eventsUnderWay += keptBack.size();
    keptBack.forEach(event -> later(events, event));
    keptBack.clear();
  }

  private void later(DelayedQueue queue, Runnable what) {
    queue.addMessage(around.step(), around.durations().draw(Kind.EVENT), what);
  }

  private void carry(Envelope envelope) {
    around.network().carry(rank, envelope);
  }

  @Override
  public void send(Message m) {
    if (around.isLost(rank, m.to())) {
      return;
    }
    float[] values = m.payload().dense().toArray();
    Message sent = m.withPayload(Payload.of(Slice.view(values, 0, values.length)));
    carry(new Letter(protocol.incarnation(), sent));
  }

  @Override
  public void tell(ToCoordinator event) {
    if (around.allHaveEnded() && event instanceof LoopEvent.ToArbiter) {
      // Links are tried for ever, and nobody has to know any more.
      return;
    }
    later(
        toCoordinator,
        () -> {
          try {
            around.coordinator().handleEventFromOperator(rank, attempt, event);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @Override
  public void roundsAdvanced() {
    protocol.roundsAdvanced();
  }

  @Override
  public void end() {
    ended = true;
    tell(new LoopEvent.Ended());
  }

  private void handle(ToMember event) {
    if (ended) {
      throw new AssertionError(
          event + " for rank " + rank + ", which has ended: Flink restarts the job");
    }
    eventsUnderWay--;
    if (event instanceof Begin begin) {
      begin(begin);
    } else if (!begun) {
      throw new AssertionError(event + " for rank " + rank + ", which has not begun");
    } else if (event instanceof ProbePaths probe) {
      probes.send(probe.checkpoint());
    } else {
      if (event instanceof AwaitRound await) {
        // The newest alone counts. A step is taken for a millisecond.
        patience.clear();
        patience.addWork(
            around.step(),
            await.atMostMillis(),
            () -> tell(new LoopEvent.HoldDue(await.checkpoint())));
      }
      protocol.handle(event);
    }
  }

  private void begin(Begin event) {
    if (event.bufferBytes() != LoopSimulation.LEAST_BUFFER_BYTES || begun) {
      throw new AssertionError(event + " for rank " + rank + "; begun: " + begun);
    }
    begun = true;
    tell(new LoopEvent.Begun());
    member.start();
  }

  /** Through which the coordinator tells the subtask something. */
  private final class Gateway implements OperatorCoordinator.SubtaskGateway {

    @Override
    public CompletableFuture<Acknowledge> sendEvent(OperatorEvent event) {
      around.told(rank, event);
      Runnable handling = () -> handle((ToMember) event);
      if (around.keepsEventsBack(rank)) {
        keptBack.add(handling);
      } else {
        eventsUnderWay++;
        later(events, handling);
      }
      return CompletableFuture.completedFuture(Acknowledge.get());
    }

    @Override
    public ExecutionAttemptID getExecution() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int getSubtask() {
      return rank;
    }
  }
}
