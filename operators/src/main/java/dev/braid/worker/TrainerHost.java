package dev.braid.worker;

import dev.braid.coding.CodeTree;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.vector.Range;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.RoundTimes;
import dev.braid.worker.report.TestShare;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a {@link Trainer} needs of the world around it. The Flink operator is one host; a test with
 * virtual time is another.
 */
interface TrainerHost {

  /**
   * The outcome of a gradient.
   *
   * @param lossSum the sum of the samples' losses
   * @param nanos how long it took
   * @param held score of the batch's samples that are not trained on, with the same weights; or of
   *     those that are, before they are, where a stream holds none out
   */
  record GradientResult(double lossSum, long nanos, Learner.Score held) {

    /** Outcome for a batch whose samples are all trained on. */
    GradientResult(double lossSum, long nanos) {
      this(lossSum, nanos, Learner.Score.NONE);
    }
  }

  long nowNanos();

  void wakeAt(long nanos);

  void send(Message message);

  /** A message that is sent next was sent before, and was lost or seemed to be. */
  default void sendsAgain() {}

  /** Computes a gradient elsewhere and answers in the trainer's own thread. */
  void computeGradient(
      Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then);

  /**
   * Nobody wants the gradient any more that is being computed. An answer comes none the less, maybe
   * of a part of it only.
   */
  default void gradientIsDropped() {}

  /** This batch is likely the next to compute a gradient of; there may be time to prepare that. */
  void prepare(Batch batch);

  /** Evaluates a share of the test set elsewhere; answers in the trainer's thread. */
  void evaluate(TestShare share, float[] weights, Consumer<Learner.Score> then);

  /** The same on the whole test set; on nothing where this rank only serves. */
  void evaluateReplica(float[] weights, Consumer<Learner.Score> then);

  /** The rank contributes this to the exchange. */
  default void contributes(Contribution contribution) {}

  /** The rank contributes nothing more, and tells the exchange; perhaps not for the first time. */
  default void ends() {}

  /** Another batch may come. */
  void batchTaken();

  /**
   * Batches are to be what this rank computes by this tree, where trees are chosen anew. Said at
   * any time, and often.
   *
   * @param codes empty between an epoch's end and the choice, also where a run goes on from a
   *     checkpoint then
   * @param beforeEpoch those of earlier epochs only: none of this or a later one may come yet
   */
  default void planned(Optional<CodeTree> codes, int beforeEpoch) {}

  /**
   * The oldest batch that is not used up was used in this round, which counts: it will not be set
   * back any more.
   */
  void roundCounts(CompletedRound round);

  /** The oldest batch that is not used up will not be used: its round went without this rank. */
  void batchDropped(Batch batch);

  /** This rank has entered a view. */
  void entered(View view);

  /** Tells the arbiter of views something. */
  void tell(ViewMessage.ToArbiter message);

  /** A round is complete at this rank; it may still be set back where ranks may be left out. */
  void roundDone(CompletedRound round);

  /**
   * An epoch is over at this rank, said once in its order among {@link #roundCounts}.
   *
   * @param completedRounds how many rounds were, when the epoch ended
   * @param score {@link EpochScore#NONE} where others have evaluated the epoch without this rank
   */
  void epochOver(int epoch, long completedRounds, EpochScore score);

  /**
   * The weights that this epoch was evaluated with, from one rank of all; said behind {@link
   * #epochOver}. Where replicas differ it is that rank's, which has evaluated a share only.
   */
  default void epochModel(int epoch, float[] weights) {}

  /** Asks all ranks' coordinator whether training stops after this epoch. */
  void askVerdict(VerdictQuestion question);

  /** Training stood still for this long, for a checkpoint. */
  void paused(long nanos);

  /** This rank has done all its rounds, in the view with this number. */
  void done(long view, long completedRounds);

  /**
   * All ranks are done: hand over what the run is for.
   *
   * @param reported the part of the final model that this rank hands over
   * @param leftOut whether it is cut off in the end: then its model is an old one
   */
  void finish(RankResult result, Range reported, long completedRounds, boolean leftOut);

  /**
   * A round with its batch.
   *
   * @param round from 0
   * @param lossSum the sum of the samples' losses; NaN where others have computed them, and it is
   *     not known here
   * @param staleness of the weights that its gradient was computed from
   * @param held score of the batch's samples that are not trained on
   */
  record CompletedRound(
      Batch batch,
      long round,
      double lossSum,
      RoundTimes times,
      Staleness staleness,
      Learner.Score held) {}

  /**
   * A rank asks whether training stops after an epoch.
   *
   * @param view number of the view that the rank is in
   * @param score of its share of the test set
   * @param absent other ranks, which it cannot reach and does not wait for
   */
  record VerdictQuestion(long view, int epoch, Learner.Score score, List<Integer> absent) {

    /**
     * Returns the event that asks the coordinator.
     *
     * @param qualitySum what epochs are compared by
     */
    LoopEvent.EpochScore withSum(double qualitySum) {
      return new LoopEvent.EpochScore(view, epoch, qualitySum, score.samples(), absent);
    }
  }
}
