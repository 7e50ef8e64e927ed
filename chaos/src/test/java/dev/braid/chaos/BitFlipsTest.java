package dev.braid.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class BitFlipsTest {

  private static final int LENGTH = 50;

  @Property(tries = 300)
  void flippedBitsAreAlwaysNoticed(@ForAll long seed) {
    BitFlips flips = new BitFlips(new EnvelopeSerializer(LENGTH, true), seed);
    Slice values = Slice.view(new float[LENGTH], 0, LENGTH);
    Letter letter =
        new Letter(
            1, new Message(3, 1, 7, Sum.partial(Range.ofLength(LENGTH), 20, Payload.of(values))));
    for (int i = 0; i < 20; i++) {
      assertThat(flips.corrupt(letter)).isEqualTo(new Envelope.Damaged());
    }
  }
}
