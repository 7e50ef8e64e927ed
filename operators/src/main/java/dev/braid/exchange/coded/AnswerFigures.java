package dev.braid.exchange.coded;

import dev.braid.exchange.DecodingUse;
import java.util.BitSet;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;

/** Counts what becomes of the answers at one rank, for reports and metrics. */
final class AnswerFigures {

  /** Sets of answers that are told apart; there may be very many. */
  private static final int MOST_SETS = 1024;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Set<Answered> sets = new HashSet<>();
  private long stragglers;
  private long late;
  private long sums;
  private long sumNanos;

  /** Of the round under way: what its sums were made of. */
  private final Set<Answered> roundSets = new HashSet<>();

  /** Of the round under way, as are the next two. */
  private long roundStragglers;

  private long summedNanos;

  /** Since when this round's sums wait for nothing but answers; none if they do not yet. */
  private OptionalLong waitsSinceNanos = OptionalLong.empty();

  private long waitNanos;

  /** The least time that an answer took. */
  private long messageNanos = Long.MAX_VALUE;

  private long messagesNanos;
  private long messageRounds;

  /**
   * Whose answers a sum was made of.
   *
   * @param parent the rank, or the master that lives there: their children are numbered alike
   */
  private record Answered(int parent, BitSet children) {}

  /** The rank has all that a sum is made of but answers. */
  void waits(long nowNanos) {
    if (waitsSinceNanos.isEmpty()) {
      waitsSinceNanos = OptionalLong.of(nowNanos);
    }
  }

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
   * The sum of a parent's children is there. It counts when its round does: one that is rolled back
   * comes again.
   *
   * @param parent the rank, or the master that lives there
   * @param of whose answers are in its last chunk
   * @param missing children who had not answered then
   */
  void summed(int parent, BitSet of, int missing, long nowNanos) {
    roundSets.add(new Answered(parent, of));
    roundStragglers += missing;
    summedNanos = nowNanos;
  }

  /** The round has ended, or does not count. */
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

  /** All so far. */
  DecodingUse use() {
    double messageSeconds =
        messageRounds == 0 ? 0 : messagesNanos / NANOS_PER_SECOND / messageRounds;
    return new DecodingUse(
        stragglers, late, sets.size(), sums, sumNanos, waitNanos, messageSeconds);
  }
}
