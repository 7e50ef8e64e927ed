package dev.braid.chaos;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.DeadLetter;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.event.InvalidEventException;
import dev.braid.chaos.fault.FaultPlan;
import dev.braid.chaos.fault.MessageFates;
import dev.braid.exchange.message.Message;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Damaged;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.Envelope.Pace;
import dev.braid.loop.envelope.Envelope.PathProbe;
import dev.braid.loop.envelope.Envelope.RoundSeen;
import dev.braid.loop.envelope.Envelope.RoundsBegin;
import dev.braid.wire.DamagedStateException;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.report.BraidMetric;
import dev.braid.worker.report.LinkCounters;
import dev.braid.worker.report.TextAccumulator;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.OutputTag;

/**
 * Links that lead to one rank, with faults. The second input has the events, which every rank
 * receives. A {@link FaultPlan} decides the fate of each message; this class has the plan's clock,
 * timers and state.
 *
 * <p>Nothing here blocks: a late message is kept until a timer hands it over. Kept messages are not
 * part of a checkpoint, since the loop is held when a checkpoint is taken: all messages that matter
 * have arrived by then, and the rest belongs to an incarnation that is over. The events that wait
 * or are in force are broadcast state, so the same links are cut after a failure.
 */
final class FaultyLinks extends AbstractStreamOperator<Envelope>
    implements TwoInputStreamOperator<Envelope, ChaosEvent, Envelope> {

  private static final long serialVersionUID = 1L;

  /** Happenings, as lines of the {@link HappeningLog}. */
  static final OutputTag<String> HAPPENINGS = new OutputTag<>("happenings", Types.STRING);

  private static final MapStateDescriptor<String, byte[]> STATE =
      new MapStateDescriptor<>(
          "chaos", StringSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);

  private static final String NAME = "the chaos events in force";
  private static final String PLAN = "plan";
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final long seed;
  private final int chunkLength;

  /** Events that were known before the job began. */
  private final transient List<ChaosEvent> known;

  private final transient StreamRecord<Envelope> record = new StreamRecord<>(null);

  private transient int rank;
  private transient int ranks;
  private transient FaultPlan<Letter> plan;
  private transient LinkCounters lost;
  private transient Counter damaged;
  private transient Counter applied;
  private transient Counter ignored;
  private transient Counter rejected;
  private transient EnvelopeSerializer serializer;
  private transient BitFlips bitFlips;
  private transient BroadcastState<String, byte[]> state;
  private transient Optional<ScheduledFuture<?>> timer;
  private transient long timerNanos;

  /** Report on faults for clients of the run. */
  private transient TextAccumulator report;

  private transient FaultReport.Teller teller;

  /**
   * Whether the clock runs: at first, and after a failure, it stands still until rounds proceed.
   */
  private transient boolean clockRuns;

  /**
   * If the clock runs: value of {@link System#nanoTime()} at time 0, had training never stopped.
   */
  private transient long originNanos;

  /** If the clock does not run: its time, in nanoseconds. */
  private transient long stoodNanos;

  private transient long lastRound;
  private transient boolean awaitsNoRound;
  private transient double slowdown;

  private transient boolean restored;
  private transient boolean begun;

  FaultyLinks(
      StreamOperatorParameters<Envelope> parameters,
      long seed,
      int chunkLength,
      List<ChaosEvent> known) {
    super(parameters);
    this.seed = seed;
    this.chunkLength = chunkLength;
    this.known = known;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    rank = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    ranks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    plan = new FaultPlan<>(ranks, seed, this::happened, new Arriving());
    slowdown = 1;
    lastRound = -1;
    timer = Optional.empty();
    timerNanos = Long.MAX_VALUE;
    state = context.getOperatorStateStore().getBroadcastState(STATE);
    for (Map.Entry<String, byte[]> entry : state.entries()) {
      if (!entry.getKey().equals(PLAN)) {
        throw new DamagedStateException(NAME, "its name differs from '" + PLAN + "'");
      }
      restore(entry.getValue());
      restored = true;
    }
  }

  private void restore(byte[] bytes) {
    try {
      DataInputStream in = StateChecksum.open(NAME, bytes);
      stoodNanos = in.readLong();
      plan.read(in, nanos());
    } catch (IOException e) {
      // A restart would fail in the same way.
      throw new SuppressRestartsException(e);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    lost = new LinkCounters(rank, getMetricGroup(), BraidMetric.LINK_LOST);
    MetricGroup group = getMetricGroup().addGroup(BraidMetric.GROUP);
    damaged = group.counter(BraidMetric.DAMAGED.key());
    applied = group.counter(BraidMetric.EVENTS_APPLIED.key());
    ignored = group.counter(BraidMetric.EVENTS_IGNORED.key());
    rejected = group.counter(BraidMetric.EVENTS_REJECTED.key());
    serializer = new EnvelopeSerializer(chunkLength, true);
    bitFlips = new BitFlips(serializer, seed + rank);
    teller = new FaultReport.Teller(rank, getRuntimeContext().getTaskInfo().getAttemptNumber());
    report = new TextAccumulator();
    getRuntimeContext().addAccumulator(FaultReport.ACCUMULATOR, report);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(nanos());
    plan.write(out);
    state.put(PLAN, StateChecksum.sealed(bytes.toByteArray()));
  }

  private long nanos() {
    return clockRuns ? System.nanoTime() - originNanos : stoodNanos;
  }

  // ---- events ----------------------------------------------------------------------------------

  /** Begins before the first message: outputs may not be used when an operator opens. */
  private void begin() {
    begun = true;
    if (restored) {
      plan.tellInForce(nanos());
    } else {
      known.forEach(this::accept);
    }
    planChanged();
  }

  @Override
  public void processElement2(StreamRecord<ChaosEvent> element) {
    accept(element.getValue());
    plan.release(nanos());
    planChanged();
  }

  private void accept(ChaosEvent event) {
    try {
      event.checkFor(ranks);
    } catch (InvalidEventException e) {
      if (rank == 0) {
        rejected.inc();
        byte[] bytes = EventWriter.write(event).getBytes(StandardCharsets.UTF_8);
        String letter = new DeadLetter(event.key(), e.getMessage(), bytes).toJson();
        output.collect(EventDesk.DEAD_LETTERS, new StreamRecord<>(letter));
        teller.refuse(event, lastRound, e.getMessage());
        report.add(teller.toJson());
      }
      return;
    }
    plan.accept(event, nanos());
  }

  private void happened(Happening happening) {
    switch (happening.outcome()) {
      case APPLIED -> applied.inc();
      case IGNORED -> ignored.inc();
      case TOUCHED, ENDED -> {}
    }
    if (happening.rank() == rank && teller.add(happening)) {
      report.add(teller.toJson());
    }
    // The first effect of an event is logged by the links on which it occurs.
    if (happening.rank() == rank || happening.outcome() == Happening.Outcome.TOUCHED) {
      String run = getRuntimeContext().getJobInfo().getJobId().toString();
      String line = HappeningLog.write(new HappeningLog.Entry(run, happening, Instant.now()));
      output.collect(HAPPENINGS, new StreamRecord<>(line));
    }
  }

  private void planChanged() {
    awaitsNoRound = plan.awaitsNoRound();
    double now = plan.slowdown(rank);
    if (now != slowdown) {
      slowdown = now;
      emit(new Pace(rank, now));
    }
    setTimer();
  }

  // ---- messages --------------------------------------------------------------------------------

  @Override
  public void processElement1(StreamRecord<Envelope> element) {
    if (!begun) {
      begin();
    }
    Envelope envelope = element.getValue();
    if (envelope instanceof Letter letter) {
      pass(letter);
    } else if (envelope instanceof Damaged) {
      damaged.inc();
    } else if (envelope instanceof RoundsBegin) {
      startClock();
    } else if (envelope instanceof RoundSeen seen) {
      hearOf(seen.round());
    } else if (envelope instanceof Greeting || envelope instanceof PathProbe) {
      // Events concern messages only; all other envelopes pass.
      emit(envelope);
    }
  }

  private void startClock() {
    if (!clockRuns) {
      originNanos = System.nanoTime() - stoodNanos;
      clockRuns = true;
      planChanged();
    }
  }

  private void pass(Letter letter) {
    Message message = letter.message();
    // The counter starts at 0; otherwise a rate would miss the first loss.
    lost.from(message.from());
    long now = nanos();
    if (now >= nextNanos()) {
      // The timer is late.
      due(now);
    }
    if (message.round() > lastRound) {
      if (plan.awaits(message.round())) {
        // Tell the other links: the event must begin at the same time on all links, and may keep
        // that round's messages from them.
        emit(new RoundSeen(rank, message.round()));
      }
      seeRound(message.round(), now);
    }
    if (plan.isQuiet()) {
      emit(letter);
      return;
    }
    plan.carry(letter, message.from(), rank, EnvelopeSerializer.bytes(message), now);
    if (nextNanos() < timerNanos) {
      setTimer();
    }
  }

  /** Takes a round that other links have seen. */
  private void hearOf(long round) {
    if (round > lastRound) {
      seeRound(round, nanos());
    }
  }

  private void seeRound(long round, long now) {
    lastRound = round;
    plan.advance(now, round);
    if (!awaitsNoRound) {
      plan.release(now);
      planChanged();
    }
  }

  /** Receives messages as the plan releases them. */
  private final class Arriving implements MessageFates<Letter> {

    @Override
    public void arrive(Letter letter, boolean corrupt, boolean again) {
      if (corrupt) {
        arriveCorrupt(letter, again);
      } else {
        // The last arrival hands over the values; an earlier one needs a copy.
        emit(again ? serializer.copy(letter) : letter);
      }
    }

    private void arriveCorrupt(Letter letter, boolean again) {
      Envelope flipped = bitFlips.corrupt(letter);
      if (flipped instanceof Letter unnoticed) {
        emit(unnoticed);
      } else {
        damaged.inc();
      }
      if (!again) {
        lost(letter);
      }
    }

    @Override
    public void lost(Letter letter) {
      letter.message().release();
      lost.from(letter.message().from())[0].inc();
    }
  }

  private void emit(Envelope envelope) {
    output.collect(record.replace(envelope));
  }

  // ---- time ------------------------------------------------------------------------------------

  /** Sets the timer for the next event or message that is due; timers count milliseconds. */
  private void setTimer() {
    long next = nextNanos();
    if (next == timerNanos || !clockRuns) {
      return;
    }
    timer.ifPresent(old -> old.cancel(false));
    timer = Optional.empty();
    timerNanos = next;
    if (next != Long.MAX_VALUE) {
      long delayMillis = Math.max(0, -Math.floorDiv(nanos() - next, NANOS_PER_MILLI));
      ProcessingTimeService timers = getProcessingTimeService();
      timer =
          Optional.of(
              timers.registerTimer(timers.getCurrentProcessingTime() + delayMillis, time -> due()));
    }
  }

  private void due() {
    timer = Optional.empty();
    timerNanos = Long.MAX_VALUE;
    due(nanos());
  }

  private void due(long now) {
    plan.advance(now, lastRound);
    plan.release(now);
    planChanged();
  }

  private long nextNanos() {
    return Math.min(plan.nextChangeNanos(), plan.nextReleaseNanos());
  }

  /** Ends all faults, since training has ended. */
  @Override
  public void finish() throws Exception {
    plan.trainingEnded(nanos());
    super.finish();
  }

  @Override
  public void close() throws Exception {
    if (plan != null) {
      plan.discard(letter -> letter.message().release());
    }
    super.close();
  }
}
