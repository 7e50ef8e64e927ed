package dev.braid.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.wire.DamagedStateException;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class PageSerializerTest {

  private static final int NUMBER = 3;

  @Test
  void readsWhatItWrote() throws IOException {
    Page read = read(written());
    assertThat(read.number()).isEqualTo(NUMBER);
    for (int offset = 0; offset < Page.SAMPLES; offset++) {
      assertThat(read.uses(offset)).isEqualTo(offset % 5 == 0 ? 2 : 0);
      assertThat(read.lastRound(offset)).isEqualTo(offset % 5 == 0 ? 1_000 + offset : -1);
    }
    assertThat(read.use(5, 70, 1)).as("known before").isFalse();
    assertThat(read.use(6, 70, 1)).isTrue();
  }

  /** Otherwise a sample that was never used would count as used. */
  @Test
  void refusesAPageOfWhichABitHasChanged() throws IOException {
    byte[] bytes = written();
    for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
      byte[] other = bytes.clone();
      other[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatThrownBy(() -> read(other))
          .as("bit %d of %d", bit, Byte.SIZE * bytes.length)
          .isInstanceOf(DamagedStateException.class);
    }
  }

  private static byte[] written() throws IOException {
    Page page = new Page(NUMBER);
    for (int offset = 0; offset < Page.SAMPLES; offset += 5) {
      page.use(offset, 0, 10);
      page.use(offset, 70, 1_000 + offset);
    }
    DataOutputSerializer out = new DataOutputSerializer(1 << 14);
    PageSerializer.INSTANCE.serialize(page, out);
    return out.getCopyOfBuffer();
  }

  private static Page read(byte[] bytes) throws IOException {
    return PageSerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes));
  }
}
