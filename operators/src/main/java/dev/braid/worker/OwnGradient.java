package dev.braid.worker;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Staleness;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.worker.TrainerHost.CompletedRound;
import dev.braid.worker.TrainerHost.GradientResult;
import dev.braid.worker.report.RoundClock;
import dev.braid.worker.report.RoundTimes;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A rank's own gradient of one round: where it is kept, and what is known of it. */
final class OwnGradient {

  private final TrainerHost host;
  private final PendingResult pending;
  private final int rank;
  private final float[] gradient;

  private Optional<Contribution> contribution = Optional.empty();
  private GradientResult result = new GradientResult(0, 0);
  private Staleness staleness = Staleness.NONE;

  /** Of the samples that this rank has computed last; NaN of none. */
  private double meanLoss = Double.NaN;

  private int epochOfLoss;

  OwnGradient(TrainerHost host, PendingResult pending, int rank, int length) {
    this.host = host;
    this.pending = pending;
    this.rank = rank;
    this.gradient = new float[length];
  }

  /** Has that of the next batch computed elsewhere; where it is empty, it is there at once. */
  void compute(Position position, Measured exchange, Supplier<float[]> weights, Runnable then) {
    Batch batch = position.next();
    long round = position.rounds();
    staleness = exchange.staleness();
    if (batch.size() == 0 && batch.heldOut().isEmpty()) {
      // Other ranks have samples left in this round and need this rank's empty share.
      Arrays.fill(gradient, 0);
      ready(batch, round, new GradientResult(0, 0), then);
    } else {
      host.computeGradient(
          batch,
          weights.get(),
          gradient,
          pending.expect(computed -> ready(batch, round, computed, then)));
    }
  }

  /**
   * Computes the gradient of a batch, which is 0 without samples: a round of a stream may have no
   * sample for this rank but some that are only scored.
   */
  static Learner.Computed of(
      Learner learner, BooleanSupplier isWanted, float[] weights, Batch batch, float[] gradient) {
    if (batch.size() == 0) {
      Arrays.fill(gradient, 0);
      return new Learner.Computed(0, 0);
    }
    return learner.gradientWhile(isWanted, weights, batch, gradient);
  }

  private void ready(Batch batch, long round, GradientResult computed, Runnable then) {
    if (!Double.isFinite(computed.lossSum())) {
      throw new DivergedException(rank, batch.epoch(), round, computed.lossSum() / batch.size());
    }
    result = computed;
    meanLoss = batch.size() == 0 ? Double.NaN : computed.lossSum() / batch.size();
    epochOfLoss = batch.epoch();
    contribution = Optional.of(new Contribution(round, gradient, batch.summedSamples()));
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

  /** Its round, which is complete. */
  CompletedRound completed(Batch batch, long round, RoundClock clock) {
    RoundTimes times = clock.roundDone(result.nanos());
    double lossSum = batch.combination().isPresent() ? lossOfShare(batch) : result.lossSum();
    return new CompletedRound(batch, round, lossSum, times, staleness, result.held());
  }

  /**
   * Its round, which is complete without it, with its samples none the less. Their loss is taken to
   * be that of the last ones of the epoch; or not known, where each of its rounds was complete
   * without it.
   */
  CompletedRound completedByOthers(Batch batch, long round, RoundClock clock) {
    return new CompletedRound(
        batch, round, lossOfShare(batch), clock.roundPassed(), staleness, Learner.Score.NONE);
  }

  /** Of the samples in this rank's account, by those that it has computed. */
  private double lossOfShare(Batch batch) {
    return epochOfLoss == batch.epoch() ? meanLoss * batch.usedIds().length : Double.NaN;
  }
}
