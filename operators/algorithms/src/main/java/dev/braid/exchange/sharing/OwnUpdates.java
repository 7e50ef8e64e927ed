package dev.braid.exchange.sharing;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * Creates updates from a rank's own gradients. Values are packed once, here, and every rank that
 * relays an update forwards the same bytes.
 */
final class OwnUpdates {

  private final ExchangeConfig config;
  private final Port port;
  private final Range whole;

  /** Creates updates with values that the port packs, as in messages from this rank to itself. */
  OwnUpdates(ExchangeConfig config, Port port) {
    this.config = config;
    this.port = port;
    this.whole = Range.ofLength(config.length());
  }

  /** Returns the parts of a gradient's update, in order. The values are copied. */
  List<SharedUpdate> of(Contribution local) {
    int samples = Math.toIntExact(local.samples());
    if (samples == 0) {
      return List.of(
          new SharedUpdate(config.rank(), local.round(), Range.EMPTY, 0, Payload.none()));
    }
    List<SharedUpdate> parts = new ArrayList<>();
    for (int i = 0; i < whole.chunks(config.chunkLength()); i++) {
      Range chunk = whole.chunk(i, config.chunkLength());
      Payload values = Payload.view(local.gradient(), chunk);
      parts.add(packed(new SharedUpdate(config.rank(), local.round(), chunk, samples, values)));
    }
    return parts;
  }

  private SharedUpdate packed(SharedUpdate update) {
    Message message =
        port.packed(new Message(config.rank(), config.rank(), update.number(), update));
    Payload kept = message.payload().copy();
    message.release();
    return update.with(kept);
  }
}
