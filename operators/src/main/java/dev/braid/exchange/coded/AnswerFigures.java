package dev.braid.exchange.coded;

import dev.braid.exchange.DecodingUse;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/** Counts what becomes of the answers at one rank, for reports and metrics. */
final class AnswerFigures {

  /** Sets of answers that are told apart; there may be very many. */
  private static final int MOST_SETS = 1024;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Set<BitSet> sets = new HashSet<>();
  private long stragglers;
  private long late;
  private long sums;
  private long sumNanos;

  private boolean isSummed;
  private long summedNanos;

  /** Of the round under way: the least time that an answer took. */
  private long messageNanos = Long.MAX_VALUE;

  private long messagesNanos;
  private long messageRounds;

  /** An answer is discarded. */
  void isLate() {
    late++;
  }

  /** All chunks of an answer have come, from the first to the last in this time. */
  void came(int chunks, long nanos) {
    if (chunks > 1) {
      messageNanos = Math.min(messageNanos, nanos / (chunks - 1) * chunks);
    }
  }

  /**
   * The sum of a parent's children is there.
   *
   * @param of whose answers are in its last chunk
   * @param missing children who had not answered then
   */
  void summed(BitSet of, int missing, long nowNanos) {
    if (sets.size() < MOST_SETS) {
      sets.add(of);
    }
    stragglers += missing;
    isSummed = true;
    summedNanos = nowNanos;
  }

  /** The round has ended, or does not count. */
  void roundEnds(boolean counts, long nowNanos) {
    if (isSummed && counts) {
      sums++;
      sumNanos += nowNanos - summedNanos;
    }
    if (messageNanos < Long.MAX_VALUE) {
      messagesNanos += messageNanos;
      messageRounds++;
    }
    isSummed = false;
    messageNanos = Long.MAX_VALUE;
  }

  /** All so far. */
  DecodingUse use() {
    double messageSeconds =
        messageRounds == 0 ? 0 : messagesNanos / NANOS_PER_SECOND / messageRounds;
    return new DecodingUse(stragglers, late, sets.size(), sums, sumNanos, messageSeconds);
  }
}
