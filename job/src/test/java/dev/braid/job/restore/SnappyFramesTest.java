package dev.braid.job.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnappyFramesTest {

  /** Number of bytes before the first frame. */
  private static final int HEADER_BYTES = 10;

  /** Position of the block's length, after the frame's head and a checksum. */
  private static final int BLOCK_LENGTH = HEADER_BYTES + 8;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537, 300_000})
  void whatFlinkCompressesIsTheSame(int length) throws IOException {
    byte[] zeros = new byte[length];
    byte[] noise = new byte[length];
    new SplittableRandom(length).nextBytes(noise);
    for (byte[] bytes : new byte[][] {zeros, noise}) {
      assertThat(decompressed(compressed(bytes))).isEqualTo(bytes);
    }
  }

  @Test
  void aBlockThatSaysItIsLongerThanTheFormatHasThemIsRefused() throws IOException {
    byte[] file = compressed(new byte[65_536]);
    // 65,536 and 65,537 in seven bits per byte, the lowest first.
    assertThat(Arrays.copyOfRange(file, BLOCK_LENGTH, BLOCK_LENGTH + 3))
        .containsExactly(0x80, 0x80, 4);
    file[BLOCK_LENGTH] = (byte) 0x81;
    assertThatThrownBy(() -> decompressed(file)).isInstanceOf(IOException.class);
    byte[] most = {-1, -1, -1, -1, 7};
    System.arraycopy(most, 0, file, BLOCK_LENGTH, most.length);
    assertThatThrownBy(() -> decompressed(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("" + Integer.MAX_VALUE);
  }

  @Test
  void aFileThatIsCutHasNoMoreThanItsBeginning() throws IOException {
    byte[] file = compressed("a few letters, a few letters".getBytes(StandardCharsets.UTF_8));
    for (int length = HEADER_BYTES + 1; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      try {
        assertThat(decompressed(cut)).as("%d bytes", length).isEmpty();
      } catch (IOException e) {
        assertThat(length).isGreaterThanOrEqualTo(HEADER_BYTES + 4);
      }
    }
  }

  private static byte[] compressed(byte[] bytes) throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (OutputStream out =
        SnappyStreamCompressionDecorator.INSTANCE.decorateWithCompression(file)) {
      out.write(bytes);
    }
    return file.toByteArray();
  }

  private static byte[] decompressed(byte[] file) throws IOException {
    try (InputStream in = SavedElements.decompressed(new ByteArrayInputStream(file))) {
      return in.readAllBytes();
    }
  }
}
