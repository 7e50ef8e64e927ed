package dev.braid.worker;

import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.learner.Learner;
import dev.braid.worker.report.TestShare;
import java.util.Optional;

/**
 * The state of one rank's model when its last gradient is computed.
 *
 * <p>The run hands over the replica. With an asynchronous exchange without servers, it hands over a
 * copy made at that moment, which is also the model that was evaluated. The gradients that other
 * ranks still have in flight would add up to steps that are too long for such old gradients, and no
 * later gradient would correct them.
 *
 * <p>With an asynchronous exchange, each replica is also evaluated at that moment on the whole test
 * set, so that the spread of the accuracies can be reported (Ako §5). At the very end, with all
 * gradients applied, the replicas would be closer together than at any time during training.
 */
final class RankResult {

  private final TrainerHost host;
  private final PendingResult pending;
  private final ExchangeRunner exchange;
  private final Model replica;

  private Model model;
  private Learner.Score score = Learner.Score.NONE;
  private Optional<Learner.Score> finalScore = Optional.empty();

  RankResult(TrainerHost host, PendingResult pending, ExchangeRunner exchange, Model replica) {
    this.host = host;
    this.pending = pending;
    this.exchange = exchange;
    this.replica = replica;
    this.model = replica;
  }

  /**
   * Takes the result when the last gradient is computed and this rank's share of the last
   * evaluation is done.
   */
  void take(Runnable then) {
    if (exchange.isSynchronous()) {
      then.run();
      return;
    }
    if (exchange.served().isEmpty()) {
      model = replica.copy();
    }
    host.evaluateReplica(
        replica.copyWeights(),
        pending.expect(
            evaluated -> {
              score = evaluated;
              then.run();
            }));
  }

  /**
   * Returns whether this rank still has to evaluate its share of the test set with the final model.
   */
  boolean isToBeScored() {
    boolean madeAtTheEnd = !exchange.replicasAgree() && model == replica;
    return madeAtTheEnd && finalScore.isEmpty();
  }

  /** Notes that the model may change, so that an earlier score of the final model is void. */
  void mayChange() {
    finalScore = Optional.empty();
  }

  /** Evaluates the model that is handed over, once all ranks have it. */
  void score(TestShare share, Runnable then) {
    host.evaluate(
        share,
        replica.copyWeights(),
        pending.expect(
            evaluated -> {
              finalScore = Optional.of(evaluated);
              then.run();
            }));
  }

  /**
   * Returns the final model's score on this rank's share; none if the last epoch has that score.
   */
  Learner.Score finalScore() {
    return finalScore.orElse(Learner.Score.NONE);
  }

  /** Returns the model that is handed over, which is not always the replica. */
  Model model() {
    return model;
  }

  /** Returns the replica, which at the end contains the gradients of all other ranks. */
  Model replica() {
    return replica;
  }

  /**
   * Returns the replica's score on the whole test set; none with a synchronous exchange or at a
   * rank that only serves.
   */
  Learner.Score score() {
    return score;
  }
}
