package dev.braid.worker;

import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Measured.Awaited;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.OffsetRange;
import dev.braid.learner.Origin;
import dev.braid.learner.math.MathKernels;
import dev.braid.loop.coordinator.Recovery;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.vector.Vectors;
import dev.braid.worker.TrainerHost.CompletedRound;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.LossSums;
import dev.braid.worker.report.Reports;
import dev.braid.worker.report.WorkerOutputs;
import dev.braid.worker.state.Role;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.flink.util.OutputTag;

/**
 * A worker's reports to the rest of the job, sent over the task's side outputs: the samples that
 * the worker has used, its progress a few times a second, its sums over each epoch, and its model
 * in parts.
 */
final class WorkerReports {

  private static final long PROGRESS_INTERVAL_NANOS = 250_000_000;
  private static final long WAIT_NANOS = 1_000_000_000;
  private static final int MODEL_PART_LENGTH = 1 << 18;

  /** The task's side outputs. */
  interface Reporter {
    <T> void report(OutputTag<T> tag, T report);
  }

  private final Role role;
  private final Reporter reporter;
  private final Supplier<Measured> exchange;
  private final int testSamples;

  private long epochSamples;
  private double epochLossSum;
  private long epochTrainNanos;
  private FigureValues epochFigures;
  private long epochMissedSamples;
  private Learner.Score epochHeld;
  private long bytesSent;

  /** Figures of the exchange that are already in the sums of this epoch or earlier ones. */
  private FigureValues told = new FigureValues();

  private long progressSamples;
  private double progressLossSum;
  private long progressRefused;
  private long progressNanos;
  private int epoch;
  private long rounds;
  private boolean leftOut;
  private List<Awaited> awaited = List.of();
  private long awaitedSinceNanos;
  private Recovery[] recoveries = Reports.Progress.NO_RECOVERIES;

  /**
   * @param exchange returns the measurements of the rank's exchange
   * @param testSamples number of samples in the whole test set
   * @param sums sums over the epoch in progress so far
   */
  WorkerReports(
      Role role, Reporter reporter, Supplier<Measured> exchange, int testSamples, EpochSums sums) {
    this.role = role;
    this.reporter = reporter;
    this.exchange = exchange;
    this.testSamples = testSamples;
    this.epochSamples = sums.samples();
    this.epochLossSum = sums.lossSum();
    this.epochTrainNanos = sums.trainNanos();
    this.bytesSent = sums.bytesSent();
    this.epochFigures = sums.figures();
    this.epochMissedSamples = sums.missedSamples();
    this.epochHeld = sums.test();
    this.progressNanos = System.nanoTime();
  }

  /** Reports that this worker has begun, and where. A rank that only serves reports nothing. */
  void began(String where, int chunkLength, MathKernels kernels) {
    if (role.computes()) {
      reporter.report(
          WorkerOutputs.BEGAN,
          new Reports.Began(role.rank(), role.workers(), where, chunkLength, kernels));
    }
  }

  /** Returns this rank's sums over the epoch in progress. */
  EpochSums sums() {
    return new EpochSums(
        epochSamples,
        epochLossSum,
        epochTrainNanos,
        bytesSent,
        epochFigures,
        epochMissedSamples,
        epochHeld);
  }

  // ---- progress --------------------------------------------------------------------------------

  void sent(long bytes) {
    bytesSent += bytes;
  }

  /** Updates the progress with a round that is complete at this rank and may still be set back. */
  void roundDone(CompletedRound round) {
    Batch batch = round.batch();
    int used = batch.usedIds().length;
    progressLossSum = LossSums.plus(progressLossSum, progressSamples, round.lossSum(), used);
    progressSamples += used;
    progressRefused += batch.origin().map(Origin::refused).orElse(0);
    epoch = batch.epoch();
    rounds = round.round() + 1;
    if (batch.lastOfEpoch()) {
      progress();
    } else {
      progressIfDue();
    }
  }

  /** Reports whether the rank is in the new view. */
  void entered(boolean isIn) {
    leftOut = !isIn;
    progress();
  }

  /** Reports the recoveries of the job: all times that are known, after a failure. */
  void recovered(List<Recovery> known) {
    recoveries = known.toArray(Recovery[]::new);
    progress();
  }

  /**
   * Reports progress if it is due while the rank waits. A rank that waits for others at the end of
   * an epoch completes no round, and it is the one that knows which ranks are absent. A rank that
   * only serves completes no rounds either.
   */
  void waits() {
    if (rounds > 0 || (!role.computes() && bytesSent > 0)) {
      progressIfDue();
    }
  }

  /** Reports progress if the last report is old enough. */
  void progressIfDue() {
    if (System.nanoTime() - progressNanos >= PROGRESS_INTERVAL_NANOS) {
      progress();
    }
  }

  private void progress() {
    reporter.report(
        WorkerOutputs.PROGRESS,
        new Reports.Progress(
            role.rank(),
            epoch,
            rounds,
            progressSamples,
            progressLossSum,
            progressRefused,
            bytesSent,
            leftOut,
            exchange.get().absentRanks().stream().mapToInt(Integer::intValue).toArray(),
            awaited(),
            recoveries));
    recoveries = Reports.Progress.NO_RECOVERIES;
    progressNanos = System.nanoTime();
    progressSamples = 0;
    progressLossSum = 0;
    progressRefused = 0;
  }

  /**
   * Returns the ranks that this rank waits for, once it has waited so long that no message can be
   * on its way.
   */
  private Awaited[] awaited() {
    List<Awaited> now = exchange.get().awaitedRanks();
    if (!now.equals(awaited)) {
      awaited = now;
      awaitedSinceNanos = System.nanoTime();
    }
    boolean lasts = System.nanoTime() - awaitedSinceNanos >= WAIT_NANOS;
    return lasts ? awaited.toArray(Awaited[]::new) : Reports.Progress.NOBODY;
  }

  // ---- epochs ----------------------------------------------------------------------------------

  /** Adds a round that is certain to count. */
  void roundCounts(CompletedRound round) {
    Batch batch = round.batch();
    if (batch.origin().isPresent()) {
      reporter.report(WorkerOutputs.OFFSETS, offsetUse(round, batch.origin().get()));
    } else if (batch.usedIds().length > 0) {
      reporter.report(
          WorkerOutputs.USAGE, new Reports.Usage(batch.epoch(), round.round(), batch.usedIds()));
    }
    FigureValues now = exchange.get().figures();
    epochFigures = epochFigures.plus(round.figures(told, now));
    told = now;
    int used = batch.usedIds().length;
    epochLossSum = LossSums.plus(epochLossSum, epochSamples, round.lossSum(), used);
    epochSamples += used;
    epochTrainNanos += round.times().total();
    epochHeld = epochHeld.plus(round.held());
  }

  private Reports.OffsetUse offsetUse(CompletedRound round, Origin origin) {
    List<OffsetRange> offsets = origin.offsets();
    return new Reports.OffsetUse(
        offsets.stream().mapToLong(OffsetRange::partition).toArray(),
        offsets.stream().mapToLong(OffsetRange::start).toArray(),
        offsets.stream().mapToLong(OffsetRange::end).toArray(),
        round.batch().size(),
        origin.heldTargets().size(),
        origin.refused());
  }

  /** Adds a batch that was not used, because its round went without this rank. */
  void missed(Batch batch) {
    epochMissedSamples += batch.usedIds().length;
  }

  /**
   * Reports the end of an epoch. Returns the epoch's score: on the test set, or on the samples that
   * a stream scored instead.
   */
  Learner.Score epochOver(int epochOver, long completedRounds, EpochScore epochScore) {
    Learner.Score score = epochHeld.plus(epochScore.score());
    reporter.report(
        WorkerOutputs.EVALUATED,
        new Reports.Evaluated(
            role.rank(),
            role.workers(),
            epochOver,
            completedRounds,
            sums().withTest(score),
            epochScore.share(),
            testSamples));
    epochSamples = 0;
    epochLossSum = 0;
    epochTrainNanos = 0;
    epochFigures = new FigureValues();
    epochMissedSamples = 0;
    epochHeld = Learner.Score.NONE;
    return score;
  }

  /**
   * Reports the weights of an epoch. The optimiser's state is not included, so training from this
   * model starts with a new optimiser state.
   */
  void epochModel(int epochOver, float[] weights) {
    Range all = Range.ofLength(weights.length);
    vector(epochOver + 1, 0, 1, weights.length, 0, all, Slice.view(weights, all));
  }

  // ---- the end ---------------------------------------------------------------------------------

  /**
   * Reports a rank's results at the end of the run, and its part of the final model.
   *
   * @throws DivergedException if the model's weights are not finite
   */
  void finished(RankResult result, Range reported, long completedRounds, boolean isLeftOut) {
    Model model = result.model();
    if (!Vectors.allFinite(model.weights())) {
      throw new DivergedException(role.rank(), completedRounds);
    }
    if (role.computes()) {
      reporter.report(
          WorkerOutputs.FINISHED,
          new Reports.Finished(
              role.rank(),
              role.workers(),
              completedRounds,
              isLeftOut,
              result.score(),
              result.finalScore(),
              model.digest(),
              result.replica().sample()));
    } else {
      progress();
    }
    for (int v = 0; v < model.vectorCount(); v++) {
      vector(
          Reports.ModelPart.FINAL,
          v,
          model.vectorCount(),
          model.weights().length,
          model.steps(),
          reported,
          model.part(v, reported));
    }
  }

  /**
   * Reports a part of a vector, in pieces of at most {@value #MODEL_PART_LENGTH} values.
   *
   * @param vectors number of the model's vectors
   * @param length number of elements of each vector
   * @param range the part of the vector that {@code values} holds
   */
  private void vector(
      int epochOver, int index, int vectors, int length, long steps, Range range, Slice values) {
    for (int i = 0; i < range.chunks(MODEL_PART_LENGTH); i++) {
      Range part = range.chunk(i, MODEL_PART_LENGTH);
      int from = values.offset() + part.start() - range.start();
      reporter.report(
          WorkerOutputs.MODEL,
          new Reports.ModelPart(
              epochOver,
              index,
              vectors,
              part.start(),
              length,
              steps,
              Arrays.copyOfRange(values.array(), from, from + part.length())));
    }
  }
}
