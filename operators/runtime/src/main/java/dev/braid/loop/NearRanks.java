package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.LoopKey;
import dev.braid.vector.FloatPool;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The ranks whose workers are in the JVM of a sender: letters to them go straight to their feedback
 * edges. Used by the sender's thread, which has begun: all edges of its loop are open.
 */
final class NearRanks {

  /** Number of copies that are kept for further letters. */
  private static final int POOLED = 64;

  private final LoopKey sender;
  private final FloatPool pool;

  /** Edges by rank; empty for a rank in another JVM. */
  private final Map<Integer, Optional<FeedbackEdge>> found = new HashMap<>();

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
   * Hands a letter over if its receiver is near, with a copy of its values unless they are
   * {@linkplain dev.braid.vector.Slice#isSteady() steady}.
   *
   * @return whether the receiver is near
   */
  boolean handOver(Letter letter) {
    Message message = letter.message();
    Optional<FeedbackEdge> edge =
        found.computeIfAbsent(message.to(), rank -> FeedbackEdge.find(keyOf(rank)));
    edge.ifPresent(it -> it.put(passed(letter)));
    return edge.isPresent();
  }

  private Letter passed(Letter letter) {
    Message message = letter.message();
    return new Letter(
        letter.incarnation(), message.withPayload(message.payload().withinProcess(pool::lend)));
  }

  private LoopKey keyOf(int rank) {
    return new LoopKey(sender.job(), sender.loop(), rank, sender.attempt());
  }
}
