package dev.braid.worker;

import dev.braid.exchange.Contribution;
import dev.braid.learner.Batch;
import dev.braid.worker.TrainerHost.GradientResult;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/** A rank's own gradient of one round: where it is kept, and what is known of it. */
final class OwnGradient {

  private final TrainerHost host;
  private final int rank;
  private final float[] gradient;

  private Optional<Contribution> contribution = Optional.empty();
  private GradientResult result = new GradientResult(0, 0);

  OwnGradient(TrainerHost host, int rank, int length) {
    this.host = host;
    this.rank = rank;
    this.gradient = new float[length];
  }

  /** Has it computed elsewhere; where a batch is empty, it is there at once. */
  void compute(Batch batch, long round, Supplier<float[]> weights, Runnable then) {
    if (batch.size() == 0) {
      // Other ranks have samples left in this round and need this rank's empty share.
      Arrays.fill(gradient, 0);
      ready(batch, round, new GradientResult(0, 0), then);
    } else {
      host.computeGradient(
          batch, weights.get(), gradient, computed -> ready(batch, round, computed, then));
    }
  }

  private void ready(Batch batch, long round, GradientResult computed, Runnable then) {
    if (!Double.isFinite(computed.lossSum())) {
      throw new DivergedException(rank, batch.epoch(), round, computed.lossSum() / batch.size());
    }
    result = computed;
    contribution = Optional.of(new Contribution(round, gradient, batch.size()));
    then.run();
  }

  /** For its round; there is one between having computed it and the end of the round. */
  Contribution contribution() {
    return contribution.orElseThrow();
  }

  /** It is used, or worth nothing. */
  void discard() {
    contribution = Optional.empty();
  }

  /** Of the gradient that was computed last. */
  GradientResult result() {
    return result;
  }
}
