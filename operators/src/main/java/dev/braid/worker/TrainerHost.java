package dev.braid.worker;

import dev.braid.exchange.Message;
import dev.braid.exchange.Staleness;
import dev.braid.exchange.View;
import dev.braid.exchange.ViewMessage;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.vector.Range;
import java.util.function.Consumer;

/**
 * What a {@link Trainer} needs of the world around it. The Flink operator is one host; a test with
 * virtual time is another.
 */
interface TrainerHost {

  /** The outcome of a gradient: the sum of the samples' losses, and how long it took. */
  record GradientResult(double lossSum, long nanos) {}

  long nowNanos();

  void wakeAt(long nanos);

  void send(Message message);

  /** Computes a gradient elsewhere and answers in the trainer's own thread. */
  void computeGradient(
      Batch batch, float[] weights, float[] gradient, Consumer<GradientResult> then);

  /** This batch is likely the next to compute a gradient of; there may be time to prepare that. */
  void prepare(Batch batch);

  /** Evaluates this rank's share of the test set elsewhere; answers in the trainer's thread. */
  void evaluate(float[] weights, Consumer<Learner.Score> then);

  /** Another batch may come. */
  void batchTaken();

  /** The oldest batch that is not used up was used in this round. */
  void batchUsed(Batch batch, long round);

  /** The oldest batch that is not used up will not be used: its round went without this rank. */
  void batchDropped();

  /** This rank has entered a view. */
  void entered(View view);

  /** Tells the arbiter of views something. */
  void tell(ViewMessage.ToArbiter message);

  /**
   * A round is complete at this rank.
   *
   * @param staleness of the weights that its gradient was computed from
   */
  void roundDone(Batch batch, long round, double lossSum, RoundTimes times, Staleness staleness);

  /** An epoch ended with this score of this rank's share of the test set. */
  void epochEvaluated(int epoch, long completedRounds, Learner.Score score);

  /** Asks all ranks' coordinator whether training stops after this epoch. */
  void askVerdict(int epoch, Learner.Score score);

  /** Training stood still for this long, for a checkpoint. */
  void paused(long nanos);

  /** This rank has done all its rounds. */
  void done(long completedRounds);

  /**
   * All ranks are done: hand over what the run is for.
   *
   * @param model what is handed over; not always the replica
   * @param replica with all that other ranks have computed
   * @param reported the part of the final model that this rank hands over
   * @param leftOut whether it is cut off in the end: then its model is an old one
   */
  void finish(Model model, Model replica, Range reported, long completedRounds, boolean leftOut);

  /**
   * Where a round's time went, in nanoseconds.
   *
   * @param gradient computing the rank's own gradient
   * @param exchange from the gradient to the end of the round
   * @param waiting the rest: for a batch, for the exchange's leave, for a checkpoint
   */
  record RoundTimes(long gradient, long exchange, long waiting) {

    /** The whole round. */
    long total() {
      return gradient + exchange + waiting;
    }
  }
}
