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
 * Where a rank is in its data: its batches, one for each round, its rounds and its epochs.
 *
 * <p>The batch of the last round is used up only when it is certain that the round counts: a rank
 * may complete a round and then be cut off from all others, who do the round again without it. What
 * is reported of an epoch waits for the round behind it, so that each epoch is reported once, with
 * the rounds that count, and with the shares of the test set of those who go on. A checkpoint falls
 * between the two never: either it has the epoch open, or its report has gone out before.
 *
 * <p>Where the rank comes to another place than the end of the next round, it has what was under
 * way discarded.
 */
final class Position {

  private record EpochReport(int epoch, long rounds, EpochScore score, Optional<float[]> weights) {}

  private final TrainerHost host;
  private final boolean mayBeSetBack;
  private final Runnable discard;
  private final Deque<Batch> waiting = new ArrayDeque<>();

  private Optional<CompletedRound> last = Optional.empty();

  /** Of the epoch that ended with the last round. */
  private Optional<EpochReport> lastEpoch = Optional.empty();

  private long rounds;
  private long missedUntil;
  private OptionalInt openEpoch;
  private Optional<EpochScore> score = Optional.empty();

  /** What the open epoch was evaluated with, if this rank is to hand that over. */
  private Optional<float[]> evaluated = Optional.empty();

  private int endedEpochs;

  /** Whether the open epoch, after which training stops, is reported already. */
  private boolean isReported;

  /**
   * Where a rank begins.
   *
   * @param mayBeSetBack whether a round that is complete here may still not count
   * @param discard what to do where what is under way belongs to a round or an epoch's end that the
   *     rank is not at any more
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

  /** The batch behind the next one, if it is there already. */
  Optional<Batch> following() {
    return waiting.stream().skip(1).findFirst();
  }

  /** How many rounds are behind this rank. */
  long rounds() {
    return rounds;
  }

  /** The round of the next batch is complete; that of the one before counts for certain. */
  void complete(CompletedRound round) {
    confirm();
    last = Optional.of(round);
    waiting.remove();
    host.batchTaken();
    goOnFrom(round.batch());
    if (!mayBeSetBack) {
      confirm();
    }
  }

  /** The last round counts, too. */
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

  /** The last round does not count: its batch is the next one again. */
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

  private void goOnFrom(Batch batch) {
    rounds++;
    if (batch.lastOfEpoch()) {
      openEpoch = OptionalInt.of(batch.epoch());
      endedEpochs = batch.epoch() + 1;
    }
  }

  // ---- epochs ----------------------------------------------------------------------------------

  /** An epoch that has ended and is not closed. */
  OptionalInt openEpoch() {
    return openEpoch;
  }

  int endedEpochs() {
    return endedEpochs;
  }

  /**
   * The open epoch is evaluated.
   *
   * @param weights those that it was evaluated with, if this rank is to hand them over
   */
  void scored(EpochScore scoreOfEpoch, Optional<float[]> weights) {
    score = Optional.of(scoreOfEpoch);
    evaluated = weights;
  }

  private void forgetScore() {
    score = Optional.empty();
    evaluated = Optional.empty();
  }

  /** The open epoch's, which is evaluated. */
  EpochScore score() {
    return score.orElseThrow();
  }

  void closeEpoch() {
    reportEpoch();
    openEpoch = OptionalInt.empty();
    forgetScore();
  }

  /**
   * The rank's share of the test set is another now. An epoch that was evaluated on the old one is
   * open again, unless its report has gone out: with the shares of some from before and of others
   * from now, a part of the test set would be missing.
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

  /** Whether the open epoch is evaluated. */
  boolean isScored() {
    return score.isPresent();
  }

  /**
   * Training stops after the open epoch, and its end may be long in coming: the report need not
   * wait for it. The epoch stays open, and a run that is restored from here reports it again; the
   * first report counts.
   */
  void reportOpenEpoch() {
    reportEpoch();
    isReported = true;
  }

  /** Without a score, others have evaluated it without this rank. */
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
   * Nothing follows. An epoch that is open stays so: where training has stopped after it, a run
   * that is restored from here is to ask again, and to stop again.
   */
  void end() {
    if (openEpoch.isPresent() && !isReported) {
      reportEpoch();
    }
    confirm();
  }

  // ---- rounds that went without this rank ------------------------------------------------------

  /** Rounds before this one went without this rank: drops their batches, as they come. */
  void missUntil(long round) {
    missedUntil = Math.max(missedUntil, round);
    dropMissed();
  }

  /** Whether batches are still to be dropped. */
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
      goOnFrom(batch);
      discard.run();
    }
  }
}
