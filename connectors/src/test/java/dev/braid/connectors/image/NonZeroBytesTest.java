package dev.braid.connectors.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NonZeroBytesTest {

  /** Tests rows whose length is not a multiple of a word, and one that is longer than a block. */
  @Test
  void findsWhatALookAtEachByteFinds() {
    for (int length : List.of(1, 7, 8, 9, 28, 100, 8 * 1024 + 3)) {
      byte[] all = drawn(3 * length, length);
      NonZeroBytes found = new NonZeroBytes(NonZeroBytes.count(all));
      List<Integer> columns = new ArrayList<>();
      List<Byte> bytes = new ArrayList<>();
      for (int row = 0; row < 3; row++) {
        found.add(all, row * length, length);
        for (int column = 0; column < length; column++) {
          if (all[row * length + column] != 0) {
            columns.add(column);
            bytes.add(all[row * length + column]);
          }
        }
        assertThat(found.size()).as("row %d of %d", row, length).isEqualTo(bytes.size());
      }
      for (int i = 0; i < bytes.size(); i++) {
        assertThat((int) found.columns()[i]).isEqualTo(columns.get(i));
        assertThat(found.bytes()[i]).isEqualTo(bytes.get(i));
      }
    }
  }

  @Test
  void countsEveryValueOfAByte() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    assertThat(NonZeroBytes.count(all)).isEqualTo(255);
    assertThat(NonZeroBytes.count(new byte[0])).isZero();
    assertThat(NonZeroBytes.count(new byte[] {0, -128, 1})).isEqualTo(2);
  }

  /** Returns random bytes that are mostly 0. */
  private static byte[] drawn(int length, long seed) {
    Random random = new Random(seed);
    byte[] all = new byte[length];
    for (int i = 0; i < length; i++) {
      all[i] = random.nextInt(4) == 0 ? (byte) random.nextInt(256) : 0;
    }
    return all;
  }
}
