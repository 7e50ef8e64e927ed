package dev.braid.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.codec.HalfPrecision;
import dev.braid.codec.SparseCodec;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.Transit;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EnvelopeSerializerTest {

  /** Offset of the code of a letter's body; the range of the body follows. */
  private static final int CODE = 1 + 2 * Long.BYTES + 2 * Integer.BYTES;

  private static final int START = CODE + 1;
  private static final int END_OF_RANGE = START + 2 * Integer.BYTES;

  /** Eight chunks. */
  private static final int MOST_VALUES = 800;

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
    // The bytes of the numbers of the route's ranks and of the values.
    int lengths = EnvelopeSerializer.HEADER_BYTES - Integer.BYTES - 1;
    for (int bit = Byte.SIZE; bit < bytes.length * Byte.SIZE; bit++) {
      int at = bit / Byte.SIZE;
      if (at >= lengths && at < EnvelopeSerializer.HEADER_BYTES) {
        continue; // Flink's frame around the letter contains its length, too, and fails the task.
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
    Greeting greeting = new Greeting(2, -5, "jvm", "host");

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
                    new Range(0, 801), 1, Payload.view(new float[801], new Range(0, 801)))));
    byte[] bytes = bytes(letter);

    assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessage("message of 3204 bytes of values: must be 0 to 3200");
  }

  private static Letter sparse(int length) {
    float[] values = new float[length];
    values[length / 3] = 0.5f;
    values[length - 1] = -0.5f;
    Payload payload =
        Payload.Sparse.of(Slice.view(values, 0, length), new SparseCodec()).orElseThrow();
    return new Letter(1, new Message(0, 1, 2, Sum.partial(new Range(5, 5 + length), 3, payload)));
  }

  /** Uses more elements than a message of float32 values has. */
  @Test
  void sparseValuesSurviveTheWire() throws IOException {
    Letter letter = sparse(800);
    byte[] bytes = bytes(letter);

    Message read = ((Letter) serializer.deserialize(new DataInputDeserializer(bytes))).message();

    assertThat(bytes).hasSize((int) EnvelopeSerializer.bytes(letter.message()));
    assertThat(bytes).hasSizeLessThan(EnvelopeSerializer.HEADER_BYTES + 20);
    assertThat(read.payload()).isInstanceOf(Payload.Sparse.class);
    assertThat(read.payload().dense().toArray())
        .containsExactly(letter.message().payload().dense().toArray());
    DataOutputSerializer copy = new DataOutputSerializer(16);
    serializer.copy(new DataInputDeserializer(bytes), copy);
    assertThat(copy.getCopyOfBuffer()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @EnumSource
  void halvedValuesSurviveTheWire(HalfPrecision form) throws IOException {
    Payload half = new Payload.Half(form, Slice.view(new float[] {1, -0.5f, 3e-20f}, 0, 2));
    Letter letter = new Letter(1, new Message(0, 1, 2, Sum.partial(new Range(5, 7), 3, half)));
    byte[] bytes = bytes(letter);

    Message read = ((Letter) serializer.deserialize(new DataInputDeserializer(bytes))).message();

    assertThat(bytes).hasSize(EnvelopeSerializer.HEADER_BYTES + 4);
    assertThat(read.payload())
        .isInstanceOfSatisfying(Payload.Half.class, it -> assertThat(it.form()).isEqualTo(form));
    assertThat(read.payload().dense().toArray()).containsExactly(1, -0.5f);
  }

  @Test
  void aSparseLetterThatIsDamagedShowsInTheChecksum() throws IOException {
    EnvelopeSerializer checked = new EnvelopeSerializer(100, true);
    DataOutputSerializer out = new DataOutputSerializer(64);
    checked.serialize(sparse(100), out);
    byte[] bytes = out.getCopyOfBuffer();
    for (int bit = EnvelopeSerializer.HEADER_BYTES * Byte.SIZE; bit < 8 * bytes.length; bit++) {
      byte[] flipped = bytes.clone();
      flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThat(checked.deserialize(new DataInputDeserializer(flipped)))
          .as("bit %s", bit)
          .isEqualTo(new Envelope.Damaged());
    }
  }

  /** Changed bytes give an input error, or values with no more elements than allowed. */
  @Property(tries = 2000)
  void lettersThatAreChangedAreReadOrRefused(@ForAll long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = bytes(sparse(1 + random.nextInt(3, 700)));
    for (int i = random.nextInt(4); i >= 0; i--) {
      // Changes start at the body's code, which the body's range follows.
      bytes[random.nextInt(CODE, bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    byte[] come =
        random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    readOrRefuse(come);
  }

  /** A flipped bit in a range's bounds makes the range up to two thousand million elements long. */
  @Test
  void rangesOfSparseValuesAreReadOrRefused() throws IOException {
    for (int length : new int[] {4, 100, 800}) {
      byte[] bytes = bytes(sparse(length));
      for (int bit = START * Byte.SIZE; bit < END_OF_RANGE * Byte.SIZE; bit++) {
        byte[] flipped = bytes.clone();
        flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        readOrRefuse(flipped);
      }
    }
  }

  private void readOrRefuse(byte[] come) {
    try {
      Letter read = (Letter) serializer.deserialize(new DataInputDeserializer(come));
      assertThat(read.message().payload().length()).isLessThanOrEqualTo(MOST_VALUES);
      read.message().payload().addTo(new float[MOST_VALUES], 0);
    } catch (Exception e) {
      // Any other exception is a fault of the serializer.
      assertThat(e).isInstanceOfAny(IOException.class, IllegalArgumentException.class);
    }
  }

  /** With an element at the end of the largest range, the array would take eight gigabytes. */
  @ParameterizedTest
  @CsvSource({"0, 801", "5, 2147483647", "0, 2147483647", "2147483647, 4", "-2147483648, 2"})
  void refusesRangesThatNoMessageHas(int start, int end) throws IOException {
    byte[] bytes = bytes(sparse(100));
    ByteBuffer.wrap(bytes).putInt(START, start).putInt(START + Integer.BYTES, end);
    assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "sparse values of elements %d to %d: must be 1 to 800 elements".formatted(start, end));
  }

  @Test
  void refusesSparseValuesOfAnotherRange() throws IOException {
    Letter letter = sparse(100);
    Message message = letter.message();
    Payload.Sparse payload = (Payload.Sparse) message.payload();
    Payload shorter = new Payload.Sparse(50, payload.encoded());
    byte[] bytes =
        bytes(new Letter(1, new Message(0, 1, 2, Sum.partial(new Range(5, 55), 3, shorter))));
    assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("sparse values of elements 5 to 55: ");
  }

  @Test
  void refusesUnknownTypes() {
    assertThatThrownBy(
            () -> serializer.deserialize(new DataInputDeserializer(new byte[] {99, 0, 0})))
        .isInstanceOf(IOException.class)
        .hasMessage("envelope of unknown type 99");
  }

  private byte[] bytes(Envelope envelope) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(16);
    serializer.serialize(envelope, out);
    return out.getCopyOfBuffer();
  }
}
