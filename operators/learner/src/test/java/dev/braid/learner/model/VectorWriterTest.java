package dev.braid.learner.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

class VectorWriterTest {

  /** Tests one number, several numbers, and more than a block of bytes holds. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 1000, (1 << 14), 3 * (1 << 14) + 7})
  void writesWhatNd4jWrites(int length) throws IOException {
    Random random = new Random(length);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = Float.intBitsToFloat(random.nextInt(0x7f800000));
    }
    ByteArrayOutputStream row = new ByteArrayOutputStream();
    VectorWriter.writeRow(values, new DataOutputStream(row));
    ByteArrayOutputStream vector = new ByteArrayOutputStream();
    VectorWriter.write(values, new DataOutputStream(vector));

    assertThat(row.toByteArray()).isEqualTo(byNd4j(Nd4j.create(values, new long[] {1, length})));
    assertThat(vector.toByteArray()).isEqualTo(byNd4j(Nd4j.createFromArray(values)));
    assertThat(read(row, length)).isEqualTo(values);
    assertThat(read(vector, length)).isEqualTo(values);
  }

  private static byte[] byNd4j(INDArray array) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Nd4j.write(array, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static float[] read(ByteArrayOutputStream bytes, int length) throws IOException {
    return VectorReader.read(
        new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), length);
  }
}
