package dev.braid.loop;

import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.LoopKey;
import dev.braid.vector.FloatPool;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The ranks whose workers are in the JVM of a sender: letters to them wait on the heap instead of
 * crossing Flink's edge. Used by the sender's thread.
 */
final class NearRanks {

  /** Number of copies that are kept for further letters. */
  private static final int POOLED = 64;

  private final LoopKey sender;
  private final FloatPool pool;
  private final Map<Integer, FeedbackEdge> found = new HashMap<>();

  /**
   * Creates the ranks around a sender.
   *
   * @param sender key of the sender's edge; the other keys differ in the subtask
   * @param chunkLength maximum number of values in a letter that has an array of them
   */
  NearRanks(LoopKey sender, int chunkLength) {
    this.sender = sender;
    this.pool = new FloatPool(chunkLength, POOLED);
  }

  /**
   * Returns what crosses Flink's edge for a letter: a notice if the receiver is near, otherwise the
   * letter. A receiver that has not begun yet is not near.
   */
  Envelope passed(Letter letter) {
    FeedbackEdge edge =
        found.computeIfAbsent(
            letter.message().to(), rank -> FeedbackEdge.find(keyOf(rank)).orElse(null));
    if (edge == null) {
      return letter;
    }
    Optional<Envelope> notice = edge.leave(letter, pool);
    return notice.orElse(letter);
  }

  private LoopKey keyOf(int rank) {
    return new LoopKey(sender.job(), sender.loop(), rank, sender.attempt());
  }
}
