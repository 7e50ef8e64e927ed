package dev.braid.worker;

import dev.braid.exchange.HostedExchange;
import dev.braid.worker.TrainerHost.VerdictQuestion;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.TestShare;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * What a rank does at the end of an epoch: it evaluates its share of the test set, and where
 * training may stop it asks for a verdict and waits.
 *
 * <p>Where ranks go their own pace, a verdict is given without those that cannot be reached: so the
 * rank goes on finding out who can be, and asks again when that has changed.
 */
final class EpochEnd {

  private final TrainerHost host;
  private final PendingResult pending;
  private final HostedExchange exchange;
  private final Model model;
  private final Membership membership;
  private final Position position;
  private final OptionalInt firstVerdict;

  private List<Integer> toldAbsent = List.of();

  /**
   * @param firstVerdict from which epoch on training stops if the verdict on it says so: empty if
   *     it goes on until the batches end
   */
  EpochEnd(
      TrainerHost host,
      PendingResult pending,
      HostedExchange exchange,
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
   * Has the rank's share of the test set evaluated elsewhere.
   *
   * @param then told whether the score counts: it does not where the share is another by then
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
                // One rank hands the weights of each epoch over, of which one is the best.
                position.scored(
                    new EpochScore(share, score),
                    membership.isFirst() ? Optional.of(weights.clone()) : Optional.empty());
              }
              then.accept(counts);
            }));
  }

  /** Asynchronous updates come meanwhile, and an accuracy is to be that of one model. */
  private float[] weightsToScore() {
    return exchange.isSynchronous() ? model.lendWeights() : model.copyWeights();
  }

  /** The rank's share may be another now; whether the epoch is to be evaluated, perhaps again. */
  boolean shareAnew() {
    position.shareAnew(membership.testShare());
    return position.openEpoch().isPresent() && !position.isScored();
  }

  /** Whether training may stop after the epoch, which is evaluated. */
  boolean needsVerdict() {
    return firstVerdict.isPresent() && position.openEpoch().getAsInt() >= firstVerdict.getAsInt();
  }

  void awaitVerdict() {
    exchange.asynchronous().ifPresent(it -> it.awaitOthers(true));
    ask();
  }

  /** Asks for the verdict, for the first time or because what was told counts no more. */
  void ask() {
    toldAbsent = exchange.measured().absentRanks();
    host.askVerdict(
        new VerdictQuestion(
            membership.view(),
            position.openEpoch().getAsInt(),
            position.score().score(),
            toldAbsent));
  }

  void askAgainIfOthersAreAway() {
    if (!toldAbsent.equals(exchange.measured().absentRanks())) {
      ask();
    }
  }

  /**
   * The verdict has come. Where training stops, the epoch stays open: a run that is restored from
   * here asks again, and stops again.
   */
  void verdict(boolean stop) {
    exchange.asynchronous().ifPresent(it -> it.awaitOthers(false));
    if (stop && !exchange.isSynchronous()) {
      // The end waits for ranks that are away.
      position.reportOpenEpoch();
    }
  }
}
