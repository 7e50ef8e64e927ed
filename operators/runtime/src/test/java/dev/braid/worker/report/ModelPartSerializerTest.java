package dev.braid.worker.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.worker.report.Reports.ModelPart;
import java.io.IOException;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class ModelPartSerializerTest {

  private final ModelPartSerializer serializer = new ModelPartSerializer();

  private DataInputDeserializer written(ModelPart part) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(part, out);
    return new DataInputDeserializer(out.getCopyOfBuffer());
  }

  @Property(tries = 200)
  void isReadAsItWasWritten(
      @ForAll @IntRange(min = 0, max = 5000) int count,
      @ForAll @IntRange(min = 0, max = 1 << 20) int start,
      @ForAll @IntRange(min = 0, max = 1 << 20) int rest,
      @ForAll int epoch,
      @ForAll long steps,
      @ForAll int bits)
      throws IOException {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = Float.intBitsToFloat(bits + i * 7919);
    }
    ModelPart part = new ModelPart(epoch, 1, 3, start, start + count + rest, steps, values);
    DataInputDeserializer in = written(part);
    ModelPart read = serializer.deserialize(in);
    assertThat(read).usingRecursiveComparison().ignoringFields("values").isEqualTo(part);
    // NaN is not equal to itself.
    assertThat(bits(read)).isEqualTo(bits(part));
    assertThat(in.available()).isZero();
  }

  private static int[] bits(ModelPart part) {
    int[] bits = new int[part.values().length];
    Arrays.setAll(bits, i -> Float.floatToIntBits(part.values()[i]));
    return bits;
  }

  @Test
  void valuesOutsideOfTheVector_areRefused() throws IOException {
    DataInputDeserializer in = written(new ModelPart(1, 0, 1, 2, 4, 7, new float[3]));
    assertThatThrownBy(() -> serializer.deserialize(in))
        .isInstanceOf(IOException.class)
        .hasMessage("part of a model with 3 values from element 2: must be within 4 elements");
  }

  @Test
  void itsTypeIsTheSameInEveryProcess() {
    assertThat(ModelPartSerializer.TYPE.createSerializer(null)).isEqualTo(serializer);
  }
}
