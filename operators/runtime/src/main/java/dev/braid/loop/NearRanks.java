package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.vector.FloatPool;
import java.util.List;
import java.util.Optional;

/**
 * The ranks whose workers are in the JVM of a sender: letters to them go straight to their feedback
 * edges. Used by the sender's thread.
 */
final class NearRanks {

  /** Number of copies that are kept for further letters. */
  private static final int POOLED = 64;

  private final FloatPool pool;

  /** Edges by rank; empty for a rank in another JVM. */
  private final List<Optional<FeedbackEdge>> edges;

  /**
   * Finds the ranks around a sender that begins.
   *
   * @param edges numbers of the edges of all ranks, which are open
   * @param chunkLength maximum number of values in a letter that has an array of them
   */
  NearRanks(List<Long> edges, int chunkLength) {
    this.edges = edges.stream().map(FeedbackEdge::find).toList();
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
    Optional<FeedbackEdge> edge = edges.get(message.to());
    if (edge.isPresent()) {
      Message passed = message.withPayload(message.payload().withinProcess(pool::lend));
      edge.get().put(new Letter(letter.incarnation(), passed));
    }
    return edge.isPresent();
  }
}
