package dev.braid.worker;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Staleness;
import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.worker.TrainerHost.CompletedRound;
import dev.braid.worker.TrainerHost.GradientResult;
import dev.braid.worker.report.RoundClock;
import dev.braid.worker.report.RoundClock.RoundTimes;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A rank's own gradient of one round: its buffer, and its loss, time and staleness. */
final class OwnGradient {

  private final TrainerHost host;
  private final PendingResult pending;
  private final int rank;
  private final float[] gradient;

  private Optional<Contribution> contribution = Optional.empty();
  private GradientResult result = new GradientResult(0, 0);
  private Staleness staleness = Staleness.NONE;

  /** Mean loss of the samples that this rank computed last; NaN if it had no samples. */
  private double meanLoss = Double.NaN;

  private int epochOfLoss;

  OwnGradient(TrainerHost host, PendingResult pending, int rank, int length) {
    this.host = host;
    this.pending = pending;
    this.rank = rank;
    this.gradient = new float[length];
  }

  /** Requests the gradient of the next batch from the host. An empty batch completes at once. */
  void compute(Position position, Measured exchange, Supplier<float[]> weights, Runnable then) {
    Batch batch = position.next();
    long round = position.rounds();
    staleness = exchange.staleness();
    if (batch.size() == 0 && batch.heldOut().isEmpty()) {
      // Other ranks have samples left in this round and need this rank's empty contribution.
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
   * Computes the gradient of a batch. The gradient is 0 for a batch without samples: in a round of
   * a stream, this rank may have only samples that are scored and not trained on.
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

  /**
   * Returns the contribution to the current round; there is one from the end of its computation to
   * the end of the round.
   */
  Contribution contribution() {
    return contribution.orElseThrow();
  }

  /** Discards the contribution, because it has been used or is not needed. */
  void discard() {
    contribution = Optional.empty();
  }

  /** Returns the completed round that this gradient took part in. */
  CompletedRound completed(Batch batch, long round, RoundClock clock) {
    RoundTimes times = clock.roundDone(result.nanos());
    double lossSum = batch.combination().isPresent() ? lossOfShare(batch) : result.lossSum();
    return new CompletedRound(batch, round, lossSum, times, staleness, result.held());
  }

  /**
   * Returns a round that was completed without this rank's gradient, but with its samples. Their
   * loss is estimated as the mean loss of this rank's last samples in the epoch; NaN if every round
   * of the epoch was completed without this rank.
   */
  CompletedRound completedByOthers(Batch batch, long round, RoundClock clock) {
    return new CompletedRound(
        batch, round, lossOfShare(batch), clock.roundPassed(), staleness, Learner.Score.NONE);
  }

  /**
   * Estimates the loss of this rank's samples from the mean loss of the samples that it has
   * computed.
   */
  private double lossOfShare(Batch batch) {
    return epochOfLoss == batch.epoch() ? meanLoss * batch.usedIds().length : Double.NaN;
  }
}
