package dev.braid.worker;

import dev.braid.exchange.BandwidthUse;
import dev.braid.exchange.Message;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.View;
import dev.braid.exchange.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Samples;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.LoopEvent;
import dev.braid.loop.LoopPort;
import dev.braid.loop.SourceGate;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.OutputTag;

/** The world around a trainer, as a Flink task has it: the loop, the source, the compute thread. */
final class WorkerHost implements TrainerHost {

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long PROGRESS_INTERVAL_NANOS = 250 * NANOS_PER_MILLI;
  private static final int EVALUATION_BATCH = 1000;
  private static final int MODEL_PART_LENGTH = 1 << 18;

  /**
   * Which rank this is.
   *
   * @param workers how many ranks compute; those behind them serve
   */
  record Place(int rank, int workers) {
    boolean isWorker() {
      return rank < workers;
    }
  }

  /** The task's side outputs. */
  interface Reporter {
    <T> void report(OutputTag<T> tag, T report);
  }

  private final Place place;
  private final LoopPort loop;
  private final SourceGate gate;
  private final ProcessingTimeService timers;
  private final Reporter reporter;
  private final ComputeThread computeThread;
  private final Samples testSet;
  private final WorkerMetrics metrics;

  private Trainer trainer;
  private Optional<ScheduledFuture<?>> wakeUp = Optional.empty();
  private long epochSamples;
  private double epochLossSum;
  private long epochTrainNanos;
  private RoundSums epochRounds;
  private long bytesSent;
  private long progressSamples;
  private double progressLossSum;
  private long progressNanos;
  private int epoch;
  private long rounds;
  private boolean leftOut;
  private double slowdown = 1;
  private long owedNanos;

  WorkerHost(
      Place place,
      LoopPort loop,
      SourceGate gate,
      ProcessingTimeService timers,
      Reporter reporter,
      ComputeThread computeThread,
      Samples testSet,
      WorkerMetrics metrics,
      EpochSums sums) {
    this.place = place;
    this.loop = loop;
    this.gate = gate;
    this.timers = timers;
    this.reporter = reporter;
    this.computeThread = computeThread;
    this.testSet = testSet;
    this.metrics = metrics;
    this.epochSamples = sums.samples();
    this.epochLossSum = sums.lossSum();
    this.epochTrainNanos = sums.trainNanos();
    this.bytesSent = sums.bytesSent();
    this.epochRounds = sums.rounds();
    this.progressNanos = nowNanos();
  }

  /** The trainer that this is the host of. */
  void start(Trainer hosted) {
    this.trainer = hosted;
  }

  /** This rank's sums over the epoch under way. */
  EpochSums sums() {
    return new EpochSums(epochSamples, epochLossSum, epochTrainNanos, bytesSent, epochRounds);
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
    bytesSent += EnvelopeSerializer.bytes(message);
    loop.send(message);
    if (!place.isWorker()) {
      // No round of its own gives it an occasion.
      reportProgressIfDue();
    }
  }

  @Override
  public void computeGradient(
      Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then) {
    computeThread.run(
        learner -> {
          long start = System.nanoTime();
          double lossSum = learner.gradient(weights, batch, gradient);
          return new GradientResult(lossSum, System.nanoTime() - start);
        },
        result -> slow(result, then));
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

  /**
   * Hands a gradient over as late as a slower computer would. By a timer: nothing blocks, and
   * messages are answered meanwhile. Timers count milliseconds, so a rest is carried over.
   */
  private void slow(GradientResult result, Consumer<GradientResult> then) {
    owedNanos += (long) ((slowdown - 1) * result.nanos());
    long delayMillis = owedNanos / NANOS_PER_MILLI;
    owedNanos -= delayMillis * NANOS_PER_MILLI;
    if (delayMillis == 0) {
      then.accept(result);
      return;
    }
    GradientResult slowed =
        new GradientResult(result.lossSum(), result.nanos() + delayMillis * NANOS_PER_MILLI);
    // What the timer throws fails the task by itself.
    var unused =
        timers.registerTimer(
            timers.getCurrentProcessingTime() + delayMillis, time -> then.accept(slowed));
  }

  /** From now on gradients take so many times longer than they need; 1: no longer. */
  void slowDown(double times) {
    slowdown = times;
  }

  @Override
  public void evaluate(float[] weights, Consumer<Learner.Score> then) {
    Range share = Range.ofLength(testSet.size()).part(place.rank(), place.workers());
    computeThread.run(
        learner -> {
          Learner.Score score = Learner.Score.NONE;
          for (int i = 0; i < share.chunks(EVALUATION_BATCH); i++) {
            Range chunk = share.chunk(i, EVALUATION_BATCH);
            int[] ids = IntStream.range(chunk.start(), chunk.end()).toArray();
            score = score.plus(learner.evaluate(weights, testSet.batch(0, ids, false)));
          }
          return score;
        },
        then);
  }

  @Override
  public void entered(View view) {
    boolean isIn = view.contains(place.rank());
    metrics.entered(view.size(), isIn);
    leftOut = !isIn;
    reportProgress(nowNanos());
  }

  @Override
  public void tell(ViewMessage.ToArbiter message) {
    loop.tell(new LoopEvent.ToArbiter(message));
  }

  @Override
  public void batchUsed(Batch batch, long round) {
    gate.consumed();
    if (batch.size() > 0) {
      reporter.report(
          WorkerOutputs.USAGE, new Reports.Usage(batch.epoch(), round, place.rank(), batch.ids()));
    }
  }

  @Override
  public void batchDropped() {
    gate.consumed();
  }

  @Override
  public void batchTaken() {
    gate.grant(1);
  }

  @Override
  public void roundDone(
      Batch batch, long round, double lossSum, RoundTimes times, Staleness staleness) {
    epochSamples += batch.size();
    epochLossSum += lossSum;
    epochTrainNanos += times.total();
    Optional<BandwidthUse> use = trainer.exchange().bandwidthUse();
    use.ifPresent(metrics::uses);
    epochRounds =
        epochRounds.plus(
            times,
            staleness,
            use.map(BandwidthUse::partitions).orElse(0),
            use.map(BandwidthUse::plannedBytesPerSecond).orElse(0.0));
    metrics.roundDone(batch, round + 1, lossSum, times, staleness);
    progressSamples += batch.size();
    progressLossSum += lossSum;
    epoch = batch.epoch();
    rounds = round + 1;
    if (batch.lastOfEpoch()) {
      reportProgress(nowNanos());
    } else {
      reportProgressIfDue();
    }
  }

  private void reportProgressIfDue() {
    long now = nowNanos();
    if (now - progressNanos >= PROGRESS_INTERVAL_NANOS) {
      reportProgress(now);
    }
  }

  private void reportProgress(long now) {
    reporter.report(
        WorkerOutputs.PROGRESS,
        new Reports.Progress(
            place.rank(), epoch, rounds, progressSamples, progressLossSum, bytesSent, leftOut));
    progressNanos = now;
    progressSamples = 0;
    progressLossSum = 0;
  }

  @Override
  public void epochEvaluated(int epoch, long completedRounds, Learner.Score score) {
    metrics.evaluated(score);
    reporter.report(
        WorkerOutputs.EVALUATED,
        new Reports.Evaluated(
            place.rank(),
            epoch,
            completedRounds,
            score.samples(),
            score.correct(),
            score.lossSum(),
            epochSamples,
            epochLossSum,
            epochTrainNanos,
            bytesSent,
            epochRounds));
    epochSamples = 0;
    epochLossSum = 0;
    epochTrainNanos = 0;
    epochRounds = RoundSums.NONE;
  }

  @Override
  public void askVerdict(int epoch, Learner.Score score) {
    loop.tell(new LoopEvent.EpochScore(epoch, score.correct(), score.samples()));
  }

  @Override
  public void paused(long nanos) {
    metrics.paused(nanos);
  }

  @Override
  public void done(long completedRounds) {
    loop.tell(new LoopEvent.Done(completedRounds));
  }

  @Override
  public void finish(
      Model model, Model replica, Range reported, long completedRounds, boolean isLeftOut) {
    if (!Vectors.allFinite(model.weights())) {
      throw new DivergedException(place.rank(), completedRounds);
    }
    if (place.isWorker()) {
      reporter.report(
          WorkerOutputs.FINISHED,
          new Reports.Finished(
              place.rank(),
              place.workers(),
              completedRounds,
              isLeftOut,
              model.digest(),
              replica.sample()));
    } else {
      reportProgress(nowNanos());
    }
    reportModel(model, reported);
    loop.end();
  }

  private void reportModel(Model model, Range reported) {
    float[][] vectors = model.vectors();
    for (int v = 0; v < vectors.length; v++) {
      for (int i = 0; i < reported.chunks(MODEL_PART_LENGTH); i++) {
        Range part = reported.chunk(i, MODEL_PART_LENGTH);
        reporter.report(
            WorkerOutputs.MODEL,
            new Reports.ModelPart(
                v,
                vectors.length,
                part.start(),
                vectors[v].length,
                model.steps(),
                Arrays.copyOfRange(vectors[v], part.start(), part.end())));
      }
    }
  }
}
