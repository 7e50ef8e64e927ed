package dev.braid.worker;

import dev.braid.exchange.BandwidthUse;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Samples;
import dev.braid.learner.math.MathKernels;
import dev.braid.loop.LoopPort;
import dev.braid.loop.SourceGate;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.loop.envelope.EnvelopeSerializer;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.Reports;
import dev.braid.worker.report.RoundSums;
import dev.braid.worker.report.WorkerOutputs;
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
  private static final long IDLE_REPORT_MILLIS = 500;
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
  private long epochMissedSamples;
  private long bytesSent;
  private long progressSamples;
  private double progressLossSum;
  private long progressNanos;
  private int epoch;
  private long rounds;
  private boolean leftOut;
  private boolean finished;
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
    this.epochMissedSamples = sums.missedSamples();
    this.progressNanos = nowNanos();
  }

  /** The trainer that this is the host of. */
  void start(Trainer hosted) {
    this.trainer = hosted;
    reportSoonAgain();
  }

  /**
   * Who waits for others at the end of an epoch has no round to report, and is the one to say who
   * is away.
   */
  private void reportSoonAgain() {
    // What the timer throws fails the task by itself.
    var unused =
        timers.registerTimer(
            timers.getCurrentProcessingTime() + IDLE_REPORT_MILLIS,
            time -> {
              if (!finished) {
                if (rounds > 0) {
                  reportProgressIfDue();
                }
                reportSoonAgain();
              }
            });
  }

  /** Tells where this rank works, and how. Those that serve compute nothing. */
  void began(String where, int chunkLength, MathKernels kernels) {
    if (place.isWorker()) {
      reporter.report(
          WorkerOutputs.BEGAN,
          new Reports.Began(place.rank(), place.workers(), where, chunkLength, kernels));
    }
  }

  /** This rank's sums over the epoch under way. */
  EpochSums sums() {
    return new EpochSums(
        epochSamples, epochLossSum, epochTrainNanos, bytesSent, epochRounds, epochMissedSamples);
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
  public void sendsAgain() {
    metrics.sendsAgain();
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
  public void evaluate(TestShare share, float[] weights, Consumer<Learner.Score> then) {
    evaluate(share.of(testSet.size()), weights, then);
  }

  @Override
  public void evaluateReplica(float[] weights, Consumer<Learner.Score> then) {
    evaluate(place.isWorker() ? Range.ofLength(testSet.size()) : Range.EMPTY, weights, then);
  }

  private void evaluate(Range share, float[] weights, Consumer<Learner.Score> then) {
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
  public void roundCounts(CompletedRound round) {
    Batch batch = round.batch();
    gate.consumed();
    if (batch.size() > 0) {
      reporter.report(
          WorkerOutputs.USAGE,
          new Reports.Usage(batch.epoch(), round.round(), place.rank(), batch.ids()));
    }
    Optional<BandwidthUse> use = trainer.exchange().measured().bandwidthUse();
    epochSamples += batch.size();
    epochLossSum += round.lossSum();
    epochTrainNanos += round.times().total();
    epochRounds =
        epochRounds.plus(
            round.times(),
            round.staleness(),
            use.map(BandwidthUse::partitions).orElse(0),
            use.map(BandwidthUse::plannedBytesPerSecond).orElse(0.0),
            trainer.exchange().measured().keptVectors());
  }

  @Override
  public void batchDropped(Batch batch) {
    gate.consumed();
    epochMissedSamples += batch.size();
  }

  @Override
  public void batchTaken() {
    gate.grant(1);
  }

  @Override
  public void roundDone(CompletedRound round) {
    Batch batch = round.batch();
    trainer.exchange().measured().bandwidthUse().ifPresent(metrics::uses);
    metrics.keeps(trainer.exchange().measured().keptVectors());
    metrics.roundDone(round);
    progressSamples += batch.size();
    progressLossSum += round.lossSum();
    epoch = batch.epoch();
    rounds = round.round() + 1;
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
            place.rank(),
            epoch,
            rounds,
            progressSamples,
            progressLossSum,
            bytesSent,
            leftOut,
            trainer.exchange().measured().absentRanks().stream()
                .mapToInt(Integer::intValue)
                .toArray()));
    progressNanos = now;
    progressSamples = 0;
    progressLossSum = 0;
  }

  @Override
  public void epochOver(int epoch, long completedRounds, EpochScore epochScore) {
    Learner.Score score = epochScore.score();
    if (score.samples() > 0) {
      metrics.evaluated(score);
    }
    reporter.report(
        WorkerOutputs.EVALUATED,
        new Reports.Evaluated(
            place.rank(),
            place.workers(),
            epoch,
            completedRounds,
            score,
            epochSamples,
            epochLossSum,
            epochTrainNanos,
            bytesSent,
            epochRounds,
            epochScore.share().part(),
            epochScore.share().parts(),
            testSet.size(),
            epochMissedSamples));
    epochSamples = 0;
    epochLossSum = 0;
    epochTrainNanos = 0;
    epochRounds = RoundSums.NONE;
    epochMissedSamples = 0;
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
  public void done(long completedRounds) {
    loop.tell(new LoopEvent.Done(completedRounds));
  }

  @Override
  public void finish(RankResult result, Range reported, long completedRounds, boolean isLeftOut) {
    finished = true;
    Model model = result.model();
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
              result.score(),
              result.finalScore(),
              model.digest(),
              result.replica().sample()));
    } else {
      reportProgress(nowNanos());
    }
    reportModel(model, reported);
    loop.end();
  }

  private void reportModel(Model model, Range reported) {
    float[][] vectors = model.vectors();
    for (int v = 0; v < vectors.length; v++) {
      reportVector(Reports.ModelPart.FINAL, v, vectors, reported, model.steps());
    }
  }

  /** An optimiser goes on from it as from the beginning: its state is not there. */
  @Override
  public void epochModel(int epochOver, float[] weights) {
    float[][] vectors = {weights};
    reportVector(epochOver + 1, 0, vectors, Range.ofLength(weights.length), 0);
  }

  private void reportVector(int epochOver, int index, float[][] vectors, Range range, long steps) {
    float[] vector = vectors[index];
    for (int i = 0; i < range.chunks(MODEL_PART_LENGTH); i++) {
      Range part = range.chunk(i, MODEL_PART_LENGTH);
      reporter.report(
          WorkerOutputs.MODEL,
          new Reports.ModelPart(
              epochOver,
              index,
              vectors.length,
              part.start(),
              vector.length,
              steps,
              Arrays.copyOfRange(vector, part.start(), part.end())));
    }
  }
}
