package dev.braid.worker;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Origin;
import dev.braid.learner.Samples;
import dev.braid.learner.math.ProcessorTime;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.SourceGate;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.loop.member.LoopPort;
import dev.braid.vector.Range;
import dev.braid.vector.VectorDigest;
import dev.braid.worker.compute.ComputeThread;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.TestShare;
import dev.braid.worker.state.Role;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/** A trainer's surroundings in a Flink task: the loop, the source, the compute thread. */
final class WorkerHost implements TrainerHost {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long IDLE_REPORT_MILLIS = 500;
  private static final int EVALUATION_BATCH = 1000;
  private static final byte[] NO_DIGEST = {};

  private final Role role;
  private final LoopPort loop;
  private final SourceGate gate;
  private final ProcessingTimeService timers;
  private final ComputeThread computeThread;
  private final Samples testSet;
  private final boolean reportsModels;
  private final WorkerMetrics metrics;
  private final WorkerReports reports;
  private final LaterReports laterReports;

  private Trainer trainer;
  private Optional<ScheduledFuture<?>> wakeUp = Optional.empty();
  private boolean finished;

  /** Digest of the weights that the last epoch was evaluated with, until it is reported. */
  private byte[] digest = NO_DIGEST;

  private double slowdown = 1;
  private long owedNanos;

  /** A gradient that is ready but is handed over later, to simulate a slower computer. */
  private Optional<Late> late = Optional.empty();

  /** Whether the gradient in progress is still wanted; the compute thread reads it. */
  private AtomicBoolean isWanted = new AtomicBoolean();

  /**
   * @param shareOfBatch share of the batch that was computed; less than 1 if the gradient was
   *     dropped
   */
  private record Computed(GradientResult result, double shareOfBatch, long processorNanos) {}

  private record Evaluated(Learner.Score score, byte[] digest) {}

  private record Late(ScheduledFuture<?> timer, Runnable handOver) {}

  WorkerHost(
      Role role,
      LoopPort loop,
      SourceGate gate,
      ProcessingTimeService timers,
      LaterReports laterReports,
      ComputeThread computeThread,
      Samples testSet,
      boolean epochModels,
      WorkerMetrics metrics,
      EpochSums sums) {
    this.role = role;
    this.loop = loop;
    this.gate = gate;
    this.timers = timers;
    this.computeThread = computeThread;
    this.testSet = testSet;
    this.reportsModels = epochModels || testSet.size() > 0;
    this.metrics = metrics;
    this.laterReports = laterReports;
    this.reports =
        new WorkerReports(role, laterReports, () -> trainer.exchange(), testSet.size(), sums);
  }

  /** Starts to host the trainer. */
  void start(Trainer hosted) {
    this.trainer = hosted;
    reportSoonAgain();
  }

  private void reportSoonAgain() {
    // Flink fails the task if the timer's action throws.
    var unused =
        timers.registerTimer(
            timers.getCurrentProcessingTime() + IDLE_REPORT_MILLIS,
            time -> {
              if (!finished) {
                reports.waits();
                reportSoonAgain();
              }
            });
  }

  /** Returns the object that sends this rank's reports. */
  WorkerReports reports() {
    return reports;
  }

  /** Sends the waiting reports: a checkpoint's barrier comes next. */
  void sendReports() {
    laterReports.send();
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public void wakeAt(long nanos) {
    wakeUp.ifPresent(timer -> timer.cancel(false));
    long delayMillis = Math.max(0, -Math.floorDiv(nowNanos() - nanos, NANOS_PER_MILLI));
    wakeUp =
        Optional.of(
            timers.registerTimer(
                timers.getCurrentProcessingTime() + delayMillis,
                time -> {
                  trainer.deadline();
                  loop.roundsAdvanced();
                }));
  }

  @Override
  public void send(Message message) {
    reports.sent(EnvelopeSerializer.bytes(message));
    loop.send(message);
    if (!role.computes()) {
      // A rank that only serves has no rounds in which to report this.
      metrics.serves(trainer.exchange());
      reports.progressIfDue();
    }
  }

  @Override
  public void sendsAgain() {
    metrics.sendsAgain();
  }

  @Override
  public void computeGradient(
      Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then) {
    AtomicBoolean isThisWanted = new AtomicBoolean(true);
    isWanted = isThisWanted;
    computeThread.run(
        learner -> {
          long start = System.nanoTime();
          long processorStart = ProcessorTime.nanos();
          Learner.Score held =
              batch.heldOut().map(it -> learner.evaluate(weights, it)).orElse(Learner.Score.NONE);
          Learner.Computed computed =
              OwnGradient.of(learner, isThisWanted::get, weights, batch, gradient);
          long processor = ProcessorTime.nanos() - processorStart;
          return new Computed(
              new GradientResult(
                  computed.lossSum(),
                  System.nanoTime() - start,
                  isProgressive(batch) ? learner.scoreOfGradient() : held),
              batch.size() == 0 ? 0 : (double) computed.samples() / batch.size(),
              processor);
        },
        computed -> {
          long longer = (long) ((slowdown - 1) * computed.processorNanos());
          if (computed.shareOfBatch() > 0) {
            long nanos = computed.result().nanos() + longer;
            computed(nanos / (shareOfRound(batch) * computed.shareOfBatch()));
          }
          slow(computed.result(), longer, then);
        });
  }

  private static boolean isProgressive(Batch batch) {
    return batch.size() > 0 && batch.origin().map(Origin::isProgressive).orElse(false);
  }

  private void computed(double nanosOfRound) {
    trainer.exchange().planning().ifPresent(it -> it.computed(nanosOfRound));
  }

  @Override
  public void prepare(Batch batch) {
    computeThread.run(
        learner -> {
          learner.prepare(batch);
          return batch;
        },
        done -> {});
  }

  /** Returns the share of a round's samples that is computed with a batch, from 0 to 1. */
  private double shareOfRound(Batch batch) {
    return batch.combination().isPresent()
        ? (double) batch.size() / batch.summedSamples()
        : 1.0 / role.workers();
  }

  /**
   * Hands a gradient over as late as a slower computer would. A timer does so: nothing blocks, and
   * messages are answered meanwhile. Timers count milliseconds, so the remainder is carried over.
   */
  private void slow(GradientResult result, long longerNanos, Consumer<GradientResult> then) {
    if (!isWanted.get()) {
      then.accept(result);
      return;
    }
    owedNanos += longerNanos;
    long delayMillis = owedNanos / NANOS_PER_MILLI;
    owedNanos -= delayMillis * NANOS_PER_MILLI;
    if (delayMillis == 0) {
      then.accept(result);
      return;
    }
    GradientResult slowed =
        new GradientResult(
            result.lossSum(), result.nanos() + delayMillis * NANOS_PER_MILLI, result.held());
    Runnable handOver =
        () -> {
          late = Optional.empty();
          then.accept(slowed);
        };
    late = Optional.of(new Late(after(delayMillis, handOver), handOver));
  }

  /** Schedules an action. Flink fails the task if the action throws. */
  private ScheduledFuture<?> after(long delayMillis, Runnable action) {
    return timers.registerTimer(
        timers.getCurrentProcessingTime() + delayMillis, time -> action.run());
  }

  /**
   * Cancels the gradient in progress, or hands it over at once if it is only delayed: a slower
   * computer would cancel it, too.
   */
  @Override
  public void gradientIsDropped() {
    isWanted.set(false);
    owedNanos = 0;
    if (late.isPresent() && late.get().timer().cancel(false)) {
      var unused = after(0, late.get().handOver());
    }
  }

  /** Stops the computation in progress, because the task ends. */
  void stopComputing() {
    isWanted.set(false);
  }

  /** Multiplies the computing time of gradients from here on; 1 means no delay. */
  void slowDown(double times) {
    slowdown = times;
  }

  @Override
  public void evaluate(TestShare share, float[] weights, Consumer<Learner.Score> then) {
    boolean isDigested = gate.wantsDigests() && role.rank() == 0;
    computeThread.run(
        learner ->
            new Evaluated(
                score(learner, share.of(testSet.size()), weights),
                isDigested ? VectorDigest.sha256(weights) : NO_DIGEST),
        evaluated -> {
          digest = evaluated.digest();
          then.accept(evaluated.score());
        });
  }

  @Override
  public void evaluateReplica(float[] weights, Consumer<Learner.Score> then) {
    Range share = role.computes() ? Range.ofLength(testSet.size()) : Range.EMPTY;
    computeThread.run(learner -> score(learner, share, weights), then);
  }

  private Learner.Score score(Learner learner, Range share, float[] weights) {
    Learner.Score score = Learner.Score.NONE;
    for (int i = 0; i < share.chunks(EVALUATION_BATCH); i++) {
      Range chunk = share.chunk(i, EVALUATION_BATCH);
      int[] ids = IntStream.range(chunk.start(), chunk.end()).toArray();
      score = score.plus(learner.evaluate(weights, testSet.batch(0, ids, false)));
    }
    return score;
  }

  @Override
  public void entered(View view) {
    boolean isIn = view.contains(role.rank());
    metrics.entered(view.size(), isIn);
    reports.entered(isIn);
  }

  @Override
  public void tell(ViewMessage.ToArbiter message) {
    loop.tell(new LoopEvent.ToArbiter(message));
  }

  @Override
  public void roundCounts(CompletedRound round) {
    gate.consumed();
    reports.roundCounts(round);
  }

  @Override
  public void batchDropped(Batch batch) {
    gate.consumed();
    reports.missed(batch);
  }

  @Override
  public void batchTaken() {
    gate.grant(1);
  }

  @Override
  public void planned(Optional<CodeTree> codes, int beforeEpoch) {
    gate.share(codes, beforeEpoch);
  }

  @Override
  public void roundDone(CompletedRound round) {
    metrics.roundDone(round, trainer.exchange().figures());
    reports.roundDone(round);
    loop.roundDone(round.round() + 1);
  }

  @Override
  public void epochOver(int epoch, long completedRounds, EpochScore score) {
    Learner.Score all = reports.epochOver(epoch, completedRounds, score);
    if (all.samples() > 0) {
      metrics.evaluated(all);
    }
    if (digest.length > 0) {
      gate.digested(completedRounds, digest);
      digest = NO_DIGEST;
    }
  }

  @Override
  public void epochModel(int epoch, float[] weights) {
    if (reportsModels) {
      laterReports.later(() -> reports.epochModel(epoch, weights));
    }
  }

  @Override
  public void askVerdict(VerdictQuestion question) {
    loop.tell(question.withSum(question.score().qualitySum()));
  }

  @Override
  public void paused(long nanos) {
    metrics.paused(nanos);
  }

  @Override
  public void done(long view, long completedRounds) {
    loop.tell(new LoopEvent.Done(view, completedRounds));
  }

  @Override
  public void finish(RankResult result, Range reported, long completedRounds, boolean leftOut) {
    finished = true;
    laterReports.later(() -> reports.finished(result, reported, completedRounds, leftOut));
    sendReports();
    loop.end();
  }
}
