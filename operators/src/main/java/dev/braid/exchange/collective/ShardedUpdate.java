package dev.braid.exchange.collective;

import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Payload;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/**
 * The step of the model over a shard, taken by its owner alone: who has the sum of all gradients
 * over a range takes the step there, and hands weights out in the place of the sum. So the
 * updater's state (momentum, Adam's two vectors) over a shard is at its owner and nowhere else.
 *
 * <p>An updater works element by element, so the steps of all shards together make the bits that
 * one step over the whole vector makes.
 */
public final class ShardedUpdate {

  private final Port port;

  public ShardedUpdate(Port port) {
    this.port = port;
  }

  /**
   * Takes the step along the mean gradient over a chunk of the shard.
   *
   * @param sum of the gradients over the chunk
   * @param samples how many it sums over; with 0, where no rank had a sample left, nothing changes
   * @return the weights there after the step, as a view of the model
   */
  public Payload step(Range chunk, Slice sum, long samples) {
    if (samples > 0 && !chunk.isEmpty()) {
      port.update(new Update.GradientSum(chunk, sum, samples));
    }
    return Payload.view(port.model()[0], chunk);
  }
}
