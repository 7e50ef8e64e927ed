package dev.braid.worker;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.vector.Range;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.RoundClock.RoundTimes;
import dev.braid.worker.report.TestShare;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The surroundings of a {@link Trainer}. The Flink operator is one host; a test with virtual time
 * is another.
 */
interface TrainerHost {

  /**
   * The outcome of a gradient computation.
   *
   * @param lossSum sum of the samples' losses
   * @param nanos computing time, in nanoseconds
   * @param held score of the batch's samples that are not trained on, with the same weights. If a
   *     stream holds no samples out: score of the samples trained on, before they are trained on
   */
  record GradientResult(double lossSum, long nanos, Learner.Score held) {

    /** Creates the outcome of a batch whose samples are all trained on. */
    GradientResult(double lossSum, long nanos) {
      this(lossSum, nanos, Learner.Score.NONE);
    }
  }

  long nowNanos();

  void wakeAt(long nanos);

  void send(Message message);

  /** Reports that the next message to send repeats one that was lost or seemed to be lost. */
  default void sendsAgain() {}

  /**
   * Computes a gradient on another thread and passes the outcome to {@code then} on the trainer's.
   */
  void computeGradient(
      Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then);

  /**
   * Cancels the gradient in progress. A result, possibly a partial one, still arrives and is
   * ignored.
   */
  default void gradientIsDropped() {}

  /** Prepares for this batch if there is time: its gradient will probably be requested next. */
  void prepare(Batch batch);

  /**
   * Evaluates a share of the test set on another thread and passes the score to {@code then} on the
   * trainer's thread.
   */
  void evaluate(TestShare share, float[] weights, Consumer<Learner.Score> then);

  /** Evaluates on the whole test set; on no samples if this rank only serves. */
  void evaluateReplica(float[] weights, Consumer<Learner.Score> then);

  /** Reports that the rank is about to contribute to the exchange. */
  default void contributes(Contribution contribution) {}

  /**
   * Reports that the rank makes no more contributions and informs the exchange. May be called
   * again.
   */
  default void ends() {}

  /** Allows the source to send another batch. */
  void batchTaken();

  /**
   * Tells the source by which tree the next batches are dealt to ranks, if the exchange chooses
   * trees again for each epoch. Called often, at any time.
   *
   * @param codes the tree with its codes; empty between an epoch's end and the choice, also if a
   *     run is restored there
   * @param beforeEpoch batches of earlier epochs only may be dealt, by this tree; those of this
   *     epoch or later ones must wait
   */
  default void planned(Optional<CodeTree> codes, int beforeEpoch) {}

  /**
   * Reports the round in which the oldest outstanding batch was used, when the round counts: it
   * cannot be set back any more.
   */
  void roundCounts(CompletedRound round);

  /**
   * Reports that the oldest outstanding batch will not be used: its round went without this rank.
   */
  void batchDropped(Batch batch);

  /** Reports that this rank has entered a view. */
  void entered(View view);

  /** Sends a message to the arbiter of views. */
  void tell(ViewMessage.ToArbiter message);

  /**
   * Reports a round that is complete at this rank. It may still be set back if ranks may be
   * excluded.
   */
  void roundDone(CompletedRound round);

  /**
   * Reports that an epoch is over at this rank. Called once per epoch, in order with {@link
   * #roundCounts}.
   *
   * @param completedRounds number of rounds that were complete when the epoch ended
   * @param score {@link EpochScore#NONE} if other ranks have evaluated the epoch without this rank
   */
  void epochOver(int epoch, long completedRounds, EpochScore score);

  /**
   * Hands over the weights that an epoch was evaluated with, at one of all ranks, after {@link
   * #epochOver}. If replicas differ, these are the weights of that rank, which has evaluated only
   * its share.
   */
  default void epochModel(int epoch, float[] weights) {}

  /** Asks the coordinator of all ranks whether training stops after this epoch. */
  void askVerdict(VerdictQuestion question);

  /** Reports for how many nanoseconds training paused for a checkpoint. */
  void paused(long nanos);

  /** Reports that this rank has completed all its rounds, in the view with this number. */
  void done(long view, long completedRounds);

  /**
   * Hands over the results of the run, when all ranks are done.
   *
   * @param reported the part of the final model that this rank hands over
   * @param leftOut whether the rank is excluded at the end, so that its model is an old one
   */
  void finish(RankResult result, Range reported, long completedRounds, boolean leftOut);

  /**
   * A completed round with its batch.
   *
   * @param round from 0
   * @param lossSum sum of the samples' losses; NaN if other ranks have computed them and it is not
   *     known here
   * @param staleness staleness of the weights that its gradient was computed from
   * @param held score of the batch's samples that are not trained on
   */
  record CompletedRound(
      Batch batch,
      long round,
      double lossSum,
      RoundTimes times,
      Staleness staleness,
      Learner.Score held) {

    /**
     * Returns the figures of this round.
     *
     * @param before figures of the exchange at the end of the previous round
     * @param now figures of the exchange at the end of this round
     */
    FigureValues figures(FigureValues before, FigureValues now) {
      FigureValues figures = now.since(before);
      figures.add(Figure.ROUNDS, 1);
      figures.add(Figure.COMPUTE_TIME, times.gradient());
      figures.add(Figure.EXCHANGE_TIME, times.exchange());
      figures.add(Figure.WAIT_TIME, times.waiting());
      figures.add(Figure.STALENESS, staleness.mean());
      figures.add(Figure.WORST_STALENESS, staleness.worst());
      return figures;
    }
  }

  /**
   * A rank's question whether training stops after an epoch.
   *
   * @param view number of the rank's view
   * @param score score on the rank's share of the test set
   * @param absent other ranks that are unreachable and that this rank does not wait for
   */
  record VerdictQuestion(long view, int epoch, Learner.Score score, List<Integer> absent) {

    /**
     * Returns the event that asks the coordinator.
     *
     * @param qualitySum sum of the quality by which epochs are compared
     */
    LoopEvent.EpochScore withSum(double qualitySum) {
      return new LoopEvent.EpochScore(view, epoch, qualitySum, score.samples(), absent);
    }
  }
}
