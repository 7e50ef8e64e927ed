package dev.braid.exchange.collective;

import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/**
 * The optimiser step over a shard, taken only by the shard's owner. The rank that has the sum of
 * all gradients over a range takes the step there, and distributes weights instead of the sum. Only
 * the owner therefore keeps the updater's state (momentum, Adam's two vectors) over its shard.
 *
 * <p>An updater works element by element, so the steps of all shards together produce the same bits
 * as one step over the whole vector.
 */
public final class ShardedUpdate {

  private final Port port;

  public ShardedUpdate(Port port) {
    this.port = port;
  }

  /**
   * Takes the step along the mean gradient over a chunk of the shard.
   *
   * @param sum sum of the gradients over the chunk
   * @param samples number of samples that it sums over; with 0, if no rank had a sample left, no
   *     step is taken
   * @return the chunk's weights after the step, as a view of the model
   */
  public Payload step(Range chunk, Slice sum, long samples) {
    if (samples > 0 && !chunk.isEmpty()) {
      port.update(new Update.GradientSum(chunk, sum, samples));
    }
    return Payload.view(port.model()[0], chunk);
  }
}
