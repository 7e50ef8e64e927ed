package dev.braid.exchange.sharing;

import dev.braid.codec.SparseCodec;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * How the values of updates travel. They are encoded once, at their origin, and every rank that
 * relays them passes on the same bytes.
 */
enum UpdateForm {
  /** A float32 for each element. */
  DENSE,
  /** Two bytes for each, of values that bfloat16 has. */
  HALF,
  /** What is not 0 of them, where that is shorter. */
  SPARSE;

  /** A gradient as an update, part by part; its values are copied. */
  List<SharedUpdate> parts(ExchangeConfig config, Contribution local) {
    int samples = Math.toIntExact(local.samples());
    if (samples == 0) {
      return List.of(
          new SharedUpdate(config.rank(), local.round(), Range.EMPTY, 0, Payload.none()));
    }
    Range whole = Range.ofLength(config.length());
    SparseCodec codec = new SparseCodec();
    List<SharedUpdate> parts = new ArrayList<>();
    for (int i = 0; i < whole.chunks(config.chunkLength()); i++) {
      Range chunk = whole.chunk(i, config.chunkLength());
      Payload values = encoded(Slice.view(local.gradient(), chunk), codec);
      parts.add(new SharedUpdate(config.rank(), local.round(), chunk, samples, values));
    }
    return parts;
  }

  private Payload encoded(Slice values, SparseCodec codec) {
    return switch (this) {
      case DENSE -> Payload.of(values).copy();
      case HALF -> new Payload.Half(values).copy();
      case SPARSE -> Payload.Sparse.of(values, codec).orElseGet(() -> Payload.of(values).copy());
    };
  }
}
