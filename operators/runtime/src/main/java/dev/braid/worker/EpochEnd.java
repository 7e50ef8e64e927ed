package dev.braid.worker;

import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.worker.TrainerHost.VerdictQuestion;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.TestShare;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A rank's work at the end of an epoch: it evaluates its share of the test set and, if training may
 * stop, asks for a verdict and waits for it.
 *
 * <p>With an asynchronous exchange, a verdict is given without the ranks that are unreachable. The
 * rank therefore keeps checking which ranks are reachable while it waits, and asks again when they
 * change.
 */
final class EpochEnd {

  private final TrainerHost host;
  private final PendingResult pending;
  private final ExchangeRunner exchange;
  private final Model model;
  private final Membership membership;
  private final Position position;
  private final OptionalInt firstVerdict;

  private List<Integer> toldAbsent = List.of();

  /**
   * @param firstVerdict first epoch after which a verdict may stop training; empty if training
   *     continues until the batches end
   */
  EpochEnd(
      TrainerHost host,
      PendingResult pending,
      ExchangeRunner exchange,
      Model model,
      Membership membership,
      Position position,
      OptionalInt firstVerdict) {
    this.host = host;
    this.pending = pending;
    this.exchange = exchange;
    this.model = model;
    this.membership = membership;
    this.position = position;
    this.firstVerdict = firstVerdict;
  }

  /**
   * Evaluates the rank's share of the test set on the compute thread.
   *
   * @param then receives whether the score counts; it does not count if the share has changed
   *     meanwhile
   */
  void score(Consumer<Boolean> then) {
    TestShare share = membership.testShare();
    float[] weights = weightsToScore();
    host.evaluate(
        share,
        weights,
        pending.expect(
            score -> {
              boolean counts = !membership.isCurrent() || share.equals(membership.testShare());
              if (counts) {
                // One rank hands over the weights of each epoch, so that the best can be kept.
                position.scored(
                    new EpochScore(share, score),
                    membership.isFirst() ? Optional.of(weights.clone()) : Optional.empty());
              }
              then.accept(counts);
            }));
  }

  /**
   * Returns a copy with an asynchronous exchange: updates arrive meanwhile, and the score must be
   * that of one model.
   */
  private float[] weightsToScore() {
    return exchange.isSynchronous() ? model.lendWeights() : model.copyWeights();
  }

  /**
   * Updates the rank's share of the test set. Returns whether the open epoch must be evaluated,
   * possibly again.
   */
  boolean shareAnew() {
    position.shareAnew(membership.testShare());
    return position.openEpoch().isPresent() && !position.isScored();
  }

  /** Returns whether training may stop after the open epoch, which must have been evaluated. */
  boolean needsVerdict() {
    return firstVerdict.isPresent() && position.openEpoch().getAsInt() >= firstVerdict.getAsInt();
  }

  void awaitVerdict() {
    exchange.awaitOthers(true);
    ask();
  }

  /**
   * Asks for the verdict, for the first time or because the earlier question does not count any
   * more.
   */
  void ask() {
    toldAbsent = exchange.absentRanks();
    host.askVerdict(
        new VerdictQuestion(
            membership.view(),
            position.openEpoch().getAsInt(),
            position.score().score(),
            toldAbsent));
  }

  void askAgainIfOthersAreAway() {
    if (!toldAbsent.equals(exchange.absentRanks())) {
      ask();
    }
  }

  /**
   * Handles the verdict. If training stops, the epoch stays open: a run that is restored from here
   * asks again, and stops again.
   */
  void verdict(boolean stop) {
    exchange.awaitOthers(false);
    if (stop && !exchange.isSynchronous()) {
      // The end waits for absent ranks, so the report must not wait for the end.
      position.reportOpenEpoch();
    }
  }
}
