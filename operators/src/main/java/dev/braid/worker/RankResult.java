package dev.braid.worker;

import dev.braid.exchange.HostedExchange;
import dev.braid.learner.Learner;
import dev.braid.worker.report.TestShare;
import java.util.Optional;

/**
 * What one rank has when its last gradient is computed.
 *
 * <p>The run hands over the replica; but where ranks go their own pace, as it is at that moment,
 * and as it was evaluated. What others still have under way adds up to steps that are too long for
 * gradients that are so old, and none follows to make it good.
 *
 * <p>There, each replica is evaluated at that moment on the whole test set, too, so that it can be
 * told how far their accuracies are apart (Ako §5). In the end, when each has all gradients, they
 * would be closer together than they were at any time while they trained.
 */
final class RankResult {

  private final TrainerHost host;
  private final PendingResult pending;
  private final HostedExchange exchange;
  private final Model replica;

  private Model model;
  private Learner.Score score = Learner.Score.NONE;
  private Optional<Learner.Score> finalScore = Optional.empty();

  RankResult(TrainerHost host, PendingResult pending, HostedExchange exchange, Model replica) {
    this.host = host;
    this.pending = pending;
    this.exchange = exchange;
    this.replica = replica;
    this.model = replica;
  }

  /** The last gradient is computed, and this rank's share of the last evaluation is done. */
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

  /** Whether this rank has its share of the last evaluation of all still to do. */
  boolean isToBeScored() {
    boolean madeAtTheEnd = !exchange.replicasAgree() && model == replica;
    return madeAtTheEnd && finalScore.isEmpty();
  }

  /** All ranks have the model that is handed over: evaluates it. */
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

  /** This rank's share of what the saved model has; none where its last epoch's is that. */
  Learner.Score finalScore() {
    return finalScore.orElse(Learner.Score.NONE);
  }

  /** What is handed over; not always the replica. */
  Model model() {
    return model;
  }

  /** The replica with all that other ranks have computed, once all is done. */
  Model replica() {
    return replica;
  }

  /**
   * On the whole test set; of nothing where all replicas are the same, or this one is no worker's.
   */
  Learner.Score score() {
    return score;
  }
}
