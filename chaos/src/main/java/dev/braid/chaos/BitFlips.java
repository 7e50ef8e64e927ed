package dev.braid.chaos;

import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Damaged;
import java.io.IOException;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Flips bits of an envelope on the wire, and reads the result as a receiver would. */
final class BitFlips {

  private static final int MAX_FLIPS = 8;

  private final EnvelopeSerializer serializer;
  private final SplittableRandom random;
  private final DataOutputSerializer wire = new DataOutputSerializer(1024);

  BitFlips(EnvelopeSerializer serializer, long seed) {
    this.serializer = serializer;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Returns the envelope with one to eight of its bits flipped: nearly always a {@link Damaged}.
   */
  Envelope corrupt(Envelope envelope) {
    try {
      wire.clear();
      serializer.serialize(envelope, wire);
      byte[] bytes = wire.getCopyOfBuffer();
      flip(bytes);
      return serializer.deserialize(new DataInputDeserializer(bytes));
    } catch (IOException e) {
      // An impossible length is damage that shows even without the checksum.
      return new Damaged();
    }
  }

  private void flip(byte[] bytes) {
    BitSet bits = new BitSet();
    int flips = 1 + random.nextInt(MAX_FLIPS);
    while (bits.cardinality() < flips) {
      // The first byte stays: on the wire, the frame around the envelope determines its kind.
      bits.set(random.nextInt(Byte.SIZE, bytes.length * Byte.SIZE));
    }
    bits.stream().forEach(bit -> bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE));
  }
}
