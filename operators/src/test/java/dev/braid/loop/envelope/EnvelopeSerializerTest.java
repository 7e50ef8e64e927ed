package dev.braid.loop.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.Transit;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class EnvelopeSerializerTest {

  private final EnvelopeSerializer serializer = new EnvelopeSerializer(100);

  @Test
  void letterSurvivesTheWire() throws IOException {
    float[] values = {0, 1.5f, -2, Float.NaN, 4};
    Letter letter =
        new Letter(
            17,
            new Message(
                3,
                9,
                1L << 40,
                Sum.finished(new Range(10, 13), 250, Payload.of(Slice.view(values, 1, 3)))));

    byte[] bytes = bytes(letter);
    Letter read = (Letter) serializer.deserialize(new DataInputDeserializer(bytes));

    assertThat(bytes).hasSize(EnvelopeSerializer.HEADER_BYTES + 3 * Float.BYTES);
    assertThat(read.incarnation()).isEqualTo(17);
    Message message = read.message();
    assertThat(message.from()).isEqualTo(3);
    assertThat(message.to()).isEqualTo(9);
    assertThat(message.round()).isEqualTo(1L << 40);
    Sum sum = (Sum) message.body();
    assertThat(sum.kind()).isEqualTo(Sum.Kind.FINISHED);
    assertThat(sum.range()).isEqualTo(new Range(10, 13));
    assertThat(sum.samples()).isEqualTo(250);
    assertThat(sum.payload().dense().toArray()).containsExactly(1.5f, -2, Float.NaN);
  }

  @Test
  void anyFlippedBitShowsInTheChecksum() throws IOException {
    EnvelopeSerializer checked = new EnvelopeSerializer(100, true);
    Slice values = Slice.view(new float[] {1, 2, 3}, 0, 3);
    Letter letter =
        new Letter(
            17, new Message(3, 9, 5, Sum.partial(new Range(10, 13), 250, Payload.of(values))));
    DataOutputSerializer out = new DataOutputSerializer(64);
    checked.serialize(letter, out);
    byte[] bytes = out.getCopyOfBuffer();

    assertThat(bytes).hasSize(EnvelopeSerializer.HEADER_BYTES + 3 * Float.BYTES + 4);
    assertThat(checked.deserialize(new DataInputDeserializer(bytes))).isInstanceOf(Letter.class);
    // The numbers of the route's ranks and of the values.
    int lengths = EnvelopeSerializer.HEADER_BYTES - Integer.BYTES - 1;
    for (int bit = Byte.SIZE; bit < bytes.length * Byte.SIZE; bit++) {
      int at = bit / Byte.SIZE;
      if (at >= lengths && at < EnvelopeSerializer.HEADER_BYTES) {
        continue; // Flink's frame around the letter has its length, too, and fails the task.
      }
      byte[] flipped = bytes.clone();
      flipped[at] ^= (byte) (1 << bit % Byte.SIZE);
      assertThat(checked.deserialize(new DataInputDeserializer(flipped)))
          .as("bit %s", bit)
          .isEqualTo(new Envelope.Damaged());
    }
  }

  @Test
  void paceSurvivesTheWire() throws IOException {
    Envelope.Pace pace = new Envelope.Pace(2, 3.5);

    assertThat(serializer.deserialize(new DataInputDeserializer(bytes(pace)))).isEqualTo(pace);
  }

  @Test
  void pathProbeSurvivesTheWire() throws IOException {
    Envelope.PathProbe probe = new Envelope.PathProbe(3, 1, 1L << 40);

    assertThat(serializer.deserialize(new DataInputDeserializer(bytes(probe)))).isEqualTo(probe);
  }

  @Test
  void thatRoundsBeginSurvivesTheWire() throws IOException {
    Envelope.RoundsBegin begin = new Envelope.RoundsBegin(3);

    assertThat(serializer.deserialize(new DataInputDeserializer(bytes(begin)))).isEqualTo(begin);
  }

  @Test
  void aRoundThatWasSeenSurvivesTheWire() throws IOException {
    Envelope.RoundSeen seen = new Envelope.RoundSeen(3, 1L << 40);

    assertThat(serializer.deserialize(new DataInputDeserializer(bytes(seen)))).isEqualTo(seen);
  }

  @Test
  void wayAndNumberOfALetterSurviveTheWire() throws IOException {
    Transit transit = new Transit(3, 1L << 33, 77, Route.of(4, 1, 0));
    Message sent = new Message(4, 1, 5, transit, Sum.partial(Range.EMPTY, 9, Payload.none()));

    byte[] bytes = bytes(new Letter(1, sent));
    Letter read = (Letter) serializer.deserialize(new DataInputDeserializer(bytes));

    assertThat(bytes).hasSize(EnvelopeSerializer.HEADER_BYTES + 3 * Integer.BYTES);
    assertThat(read.message().transit()).isEqualTo(transit);
    assertThat(read.message().origin()).isEqualTo(4);
    assertThat(read.message().destination()).isEqualTo(0);
  }

  @Test
  void greetingSurvivesTheWire() throws IOException {
    Greeting greeting = new Greeting(2, new LoopKey("job", "loop", 2, 5), "jvm", "host");

    assertThat(serializer.deserialize(new DataInputDeserializer(bytes(greeting))))
        .isEqualTo(greeting);
  }

  @Test
  void copyIsIndependentOfTheOriginal() {
    float[] values = {1, 2};
    Letter letter =
        new Letter(
            0,
            new Message(
                0, 1, 0, Sum.partial(new Range(0, 2), 1, Payload.of(Slice.view(values, 0, 2)))));

    Letter copy = (Letter) serializer.copy(letter);
    values[0] = 9;

    assertThat(copy.message().payload().dense().toArray()).containsExactly(1, 2);
  }

  @Test
  void refusesLengthsThatNoMessageHas() throws IOException {
    Letter letter =
        new Letter(
            0,
            new Message(
                0,
                1,
                0,
                Sum.partial(
                    new Range(0, 101), 1, Payload.view(new float[101], new Range(0, 101)))));
    byte[] bytes = bytes(letter);

    assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessage("message of 101 values: from 0 to 100 are possible");
  }

  @Test
  void refusesUnknownTypes() {
    assertThatThrownBy(
            () -> serializer.deserialize(new DataInputDeserializer(new byte[] {7, 0, 0})))
        .isInstanceOf(IOException.class)
        .hasMessage("envelope of unknown type 7");
  }

  private byte[] bytes(Envelope envelope) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(envelope, out);
    return out.getCopyOfBuffer();
  }
}
