package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.vector.Slice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class DenseCodecTest {

  @Property(tries = 100)
  void keepsEveryBit(
      @ForAll long seed,
      @ForAll @IntRange(max = 10_000) int length,
      @ForAll @IntRange(max = 100) int offset)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    float[] values = new float[offset + length + 3];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.intBitsToFloat(random.nextInt());
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DenseCodec codec = new DenseCodec();
    codec.write(Slice.view(values, offset, length), new DataOutputStream(bytes));
    assertThat(bytes.size()).isEqualTo(length * Float.BYTES);
    ByteBuffer buffer = ByteBuffer.allocate(1 + bytes.size()).put((byte) 7);
    DenseCodec.write(Slice.view(values, offset, length), buffer);
    assertThat(buffer.remaining()).isZero();
    assertThat(Arrays.copyOfRange(buffer.array(), 1, buffer.capacity()))
        .isEqualTo(bytes.toByteArray());

    float[] read = new float[length + 5];
    new DenseCodec()
        .read(
            Slice.view(read, 2, length),
            new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    ByteBuffer wire = ByteBuffer.wrap(bytes.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < length; i++) {
      int expected = Float.floatToRawIntBits(values[offset + i]);
      assertThat(Float.floatToRawIntBits(read[2 + i])).isEqualTo(expected);
      assertThat(wire.getInt(i * Float.BYTES)).isEqualTo(expected);
    }
  }
}
