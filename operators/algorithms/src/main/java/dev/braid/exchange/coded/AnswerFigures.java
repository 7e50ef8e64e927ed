package dev.braid.exchange.coded;

import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import java.util.BitSet;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/** Counts used, late and missing answers at one rank, for reports and metrics. */
final class AnswerFigures {

  /**
   * Maximum number of distinct sets of answers that are remembered, since there may be very many.
   */
  private static final int MOST_SETS = 1024;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Set<Answered> sets = new HashSet<>();
  private long stragglers;
  private long late;
  private long sums;
  private long sumNanos;

  /** Sets of children whose answers make up the sums of the current round. */
  private final Set<Answered> roundSets = new HashSet<>();

  /** Children without a complete answer when the current round's sums were ready. */
  private long roundStragglers;

  private long summedNanos;

  /**
   * Time since which the current round's sums lack only answers; empty if they lack more than that.
   */
  private OptionalLong waitsSinceNanos = OptionalLong.empty();

  private long waitNanos;

  /** Shortest time in which an answer of the current round was received, in nanoseconds. */
  private long messageNanos = Long.MAX_VALUE;

  private long messagesNanos;
  private long messageRounds;

  /**
   * The children whose answers make up a sum.
   *
   * @param parent a rank, or {@code RegularTree.MASTER}: the children of both are numbered from 0
   */
  private record Answered(int parent, BitSet children) {}

  /**
   * Notes that the rank's sums lack only answers from {@code nowNanos} on. Only the first call in a
   * round counts.
   */
  void waits(long nowNanos) {
    if (waitsSinceNanos.isEmpty()) {
      waitsSinceNanos = OptionalLong.of(nowNanos);
    }
  }

  /** Counts a discarded chunk of an answer. */
  void isLate() {
    late++;
  }

  /**
   * Notes that all chunks of an answer have arrived.
   *
   * @param chunks number of chunks; a single chunk does not show how long an answer takes
   * @param nanos time from the arrival of the first chunk to that of the last, in nanoseconds
   */
  void came(int chunks, long nanos) {
    if (chunks > 1) {
      messageNanos = Math.min(messageNanos, nanos / (chunks - 1) * chunks);
    }
  }

  /**
   * Notes that the sum over a parent's children is complete. It counts when its round ends: the sum
   * of a round that is rolled back is computed again.
   *
   * @param parent a rank, or {@code RegularTree.MASTER}
   * @param of children whose answers are in the sum's last chunk
   * @param missing number of children that had not answered all chunks by then
   */
  void summed(int parent, BitSet of, int missing, long nowNanos) {
    roundSets.add(new Answered(parent, of));
    roundStragglers += missing;
    summedNanos = nowNanos;
  }

  /**
   * Ends the current round.
   *
   * @param counts whether the round is complete; false if it is rolled back
   */
  void roundEnds(boolean counts, long nowNanos) {
    if (counts && !roundSets.isEmpty()) {
      if (sets.size() < MOST_SETS) {
        sets.addAll(roundSets);
      }
      stragglers += roundStragglers;
      sums++;
      sumNanos += nowNanos - summedNanos;
      waitNanos += Math.max(0, summedNanos - waitsSinceNanos.orElse(summedNanos));
    }
    if (messageNanos < Long.MAX_VALUE) {
      messagesNanos += messageNanos;
      messageRounds++;
    }
    roundSets.clear();
    roundStragglers = 0;
    waitsSinceNanos = OptionalLong.empty();
    messageNanos = Long.MAX_VALUE;
  }

  /** Adds the totals of all rounds so far. */
  void addTo(FigureValues figures) {
    figures.add(Figure.STRAGGLERS, stragglers);
    figures.add(Figure.LATE_MESSAGES, late);
    figures.add(Figure.DECODED_SETS, sets.size());
    figures.add(Figure.SUMS, sums);
    figures.add(Figure.SUM_TIME, sumNanos);
    figures.add(Figure.ANSWER_WAIT, waitNanos);
    if (messageRounds > 0) {
      figures.set(Figure.MESSAGE_TIME, messageSeconds());
    }
  }

  /**
   * Returns the mean time to receive one answer, in seconds; 0 if it is unknown, for example if the
   * vector is a single chunk.
   */
  double messageSeconds() {
    return messageRounds == 0 ? 0 : messagesNanos / NANOS_PER_SECOND / messageRounds;
  }
}
