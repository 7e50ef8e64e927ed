package dev.braid.job.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.junit.jupiter.api.Test;

/** Forged states that claim more content than they have. */
class SavedElementsTest {

  private static final String NAME = "state";

  private final List<byte[]> read = new ArrayList<>();

  @Test
  void elementsThatOverlapAreRefused() throws IOException {
    // From every even position on, four bytes read as the length 0x00600060.
    byte[] value = new byte[8 << 20];
    for (int i = 0; i < value.length; i += 2) {
      value[i + 1] = 0x60;
    }
    byte[] whole = WrittenState.list(NAME, BytePrimitiveArraySerializer.INSTANCE, value);
    long[] offsets = new long[1000];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = whole.length - value.length + 2L * i;
    }
    OperatorStateHandle state = WrittenState.at(NAME, offsets, WrittenState.inline(whole));
    assertThatThrownBy(() -> SavedElements.forEach(state, NAME, read::add))
        .isInstanceOf(IOException.class)
        .hasMessage(0x00600060 + " bytes of state");
    assertThat(read).hasSize(1);
  }

  @Test
  void anElementIsNoLongerThanItsState() throws IOException {
    byte[] whole = WrittenState.list(NAME, BytePrimitiveArraySerializer.INSTANCE, new byte[9]);
    int offset = whole.length - 9 - Integer.BYTES;
    for (int length : new int[] {Integer.MAX_VALUE, whole.length + 1, -1}) {
      ByteBuffer.wrap(whole).putInt(offset, length);
      OperatorStateHandle state = WrittenState.at(NAME, offset, WrittenState.inline(whole));
      assertThatThrownBy(() -> SavedElements.first(state, NAME))
          .isInstanceOf(IOException.class)
          .hasMessage(length + " bytes of state");
    }
  }

  @Test
  void placesThatCannotBeAreRefused_beforeAnythingIsRead() throws IOException {
    for (long[] offsets : new long[][] {{-1}, {7, Long.MIN_VALUE}, {7, 9, 7}}) {
      OperatorStateHandle state = WrittenState.at(NAME, offsets, WrittenState.inline(new byte[0]));
      for (boolean all : new boolean[] {true, false}) {
        assertThatThrownBy(
                () -> {
                  if (all) {
                    SavedElements.forEach(state, NAME, read::add);
                  } else {
                    SavedElements.first(state, NAME);
                  }
                })
            .isInstanceOf(IOException.class)
            .hasMessageMatching("an element in front of its file|two elements in one place");
      }
    }
    assertThat(read).isEmpty();
  }
}
