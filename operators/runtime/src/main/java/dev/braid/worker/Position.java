package dev.braid.worker;

import dev.braid.learner.Batch;
import dev.braid.worker.TrainerHost.CompletedRound;
import dev.braid.worker.report.EpochScore;
import dev.braid.worker.report.TestShare;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A rank's position in its data: its batches, one for each round, its rounds and its epochs.
 *
 * <p>The batch of the last round is used up only when the round is certain to count. A rank may
 * complete a round and then become unreachable; all others repeat the round without it. The report
 * of an epoch therefore waits for the next round. Each epoch is reported once, with the rounds that
 * count, and with the test-set shares of the ranks that continue. A checkpoint never falls between
 * the end of an epoch and its report: either the checkpoint contains the epoch as open, or the
 * report was sent before.
 *
 * <p>If the rank moves to any position other than the end of the next round, it discards its work
 * in progress.
 */
final class Position {

  private record EpochReport(int epoch, long rounds, EpochScore score, Optional<float[]> weights) {}

  private final TrainerHost host;
  private final boolean mayBeSetBack;
  private final Runnable discard;
  private final Deque<Batch> waiting = new ArrayDeque<>();

  private Optional<CompletedRound> last = Optional.empty();

  /** Report of the epoch that ended with the last round, until that round counts. */
  private Optional<EpochReport> lastEpoch = Optional.empty();

  private long rounds;
  private long missedUntil;
  private OptionalInt openEpoch;
  private Optional<EpochScore> score = Optional.empty();

  /** Weights that the open epoch was evaluated with, if this rank is to hand them over. */
  private Optional<float[]> evaluated = Optional.empty();

  private int endedEpochs;

  /** Whether the open epoch, after which training stops, has been reported. */
  private boolean isReported;

  /**
   * Creates the position at which a rank begins.
   *
   * @param mayBeSetBack whether a round that is complete here may still not count
   * @param discard discards work in progress that belongs to a round or an epoch's end that the
   *     rank has left
   */
  Position(
      TrainerHost host,
      boolean mayBeSetBack,
      Runnable discard,
      long rounds,
      OptionalInt openEpoch,
      int endedEpochs) {
    this.host = host;
    this.mayBeSetBack = mayBeSetBack;
    this.discard = discard;
    this.rounds = rounds;
    this.openEpoch = openEpoch;
    this.endedEpochs = endedEpochs;
  }

  void add(Batch batch) {
    waiting.add(batch);
    dropMissed();
  }

  boolean hasNext() {
    return !waiting.isEmpty();
  }

  Batch next() {
    return waiting.element();
  }

  /** Returns the batch after the next one, if it has arrived. */
  Optional<Batch> following() {
    return waiting.stream().skip(1).findFirst();
  }

  /** Returns the number of rounds that this rank has completed or missed. */
  long rounds() {
    return rounds;
  }

  /** Completes the round of the next batch; this confirms the previous round. */
  void complete(CompletedRound round) {
    confirm();
    last = Optional.of(round);
    waiting.remove();
    host.batchTaken();
    advance(round.batch());
    if (!mayBeSetBack) {
      confirm();
    }
  }

  /** Confirms that the last round counts. */
  void confirm() {
    last.ifPresent(host::roundCounts);
    last = Optional.empty();
    lastEpoch.ifPresent(this::report);
    lastEpoch = Optional.empty();
  }

  private void report(EpochReport ended) {
    host.epochOver(ended.epoch(), ended.rounds(), ended.score());
    ended.weights().ifPresent(weights -> host.epochModel(ended.epoch(), weights));
  }

  /** Sets the last round back, because it does not count: its batch becomes the next one again. */
  void setBack() {
    Batch batch = last.orElseThrow().batch();
    last = Optional.empty();
    lastEpoch = Optional.empty();
    waiting.addFirst(batch);
    rounds--;
    if (batch.lastOfEpoch()) {
      openEpoch = OptionalInt.empty();
      forgetScore();
      endedEpochs = batch.epoch();
    }
    discard.run();
  }

  private void advance(Batch batch) {
    rounds++;
    if (batch.lastOfEpoch()) {
      openEpoch = OptionalInt.of(batch.epoch());
      endedEpochs = batch.epoch() + 1;
    }
  }

  // ---- epochs ----------------------------------------------------------------------------------

  /** Returns the epoch that has ended and is not closed, if any. */
  OptionalInt openEpoch() {
    return openEpoch;
  }

  int endedEpochs() {
    return endedEpochs;
  }

  /**
   * Records the score of the open epoch.
   *
   * @param weights the weights that were evaluated, if this rank is to hand them over
   */
  void scored(EpochScore scoreOfEpoch, Optional<float[]> weights) {
    score = Optional.of(scoreOfEpoch);
    evaluated = weights;
  }

  private void forgetScore() {
    score = Optional.empty();
    evaluated = Optional.empty();
  }

  /** Returns the score of the open epoch, which must have been evaluated. */
  EpochScore score() {
    return score.orElseThrow();
  }

  void closeEpoch() {
    reportEpoch();
    openEpoch = OptionalInt.empty();
    forgetScore();
  }

  /**
   * Changes the rank's share of the test set. An epoch that was evaluated on another share is
   * opened again, unless its report has been sent. If some ranks used their old shares and others
   * their new ones, part of the test set would be missing.
   */
  void shareAnew(TestShare share) {
    if (score.isPresent() && !score.get().share().equals(share)) {
      forgetScore();
    }
    lastEpoch
        .filter(it -> it.rounds() == rounds && !it.score().share().equals(share))
        .ifPresent(
            it -> {
              openEpoch = OptionalInt.of(it.epoch());
              lastEpoch = Optional.empty();
              forgetScore();
            });
  }

  /** Returns whether the open epoch has been evaluated. */
  boolean isScored() {
    return score.isPresent();
  }

  /**
   * Reports the open epoch, after which training stops, without waiting for the end of the run,
   * which may take long. The epoch stays open. A run that is restored from here reports it again;
   * the first report counts.
   */
  void reportOpenEpoch() {
    reportEpoch();
    isReported = true;
  }

  /**
   * Reports the open epoch. If it has no score, other ranks have evaluated it without this rank.
   */
  private void reportEpoch() {
    lastEpoch =
        Optional.of(
            new EpochReport(
                openEpoch.getAsInt(), rounds, score.orElse(EpochScore.NONE), evaluated));
    if (!mayBeSetBack) {
      confirm();
    }
  }

  /**
   * Ends the data: no batch follows. An open epoch stays open. If training has stopped after it, a
   * run that is restored from here must ask for the verdict and stop again.
   */
  void end() {
    if (openEpoch.isPresent() && !isReported) {
      reportEpoch();
    }
    confirm();
  }

  // ---- missed rounds ---------------------------------------------------------------------------

  /**
   * Drops the batches of all rounds before this one, which went without this rank, as the batches
   * arrive.
   */
  void missUntil(long round) {
    missedUntil = Math.max(missedUntil, round);
    dropMissed();
  }

  /** Returns whether batches of missed rounds are still to be dropped. */
  boolean isBehind() {
    return rounds < missedUntil;
  }

  private void dropMissed() {
    while (isBehind() && hasNext()) {
      if (openEpoch.isPresent()) {
        closeEpoch();
      }
      confirm();
      Batch batch = waiting.remove();
      host.batchTaken();
      host.batchDropped(batch);
      advance(batch);
      discard.run();
    }
  }
}
