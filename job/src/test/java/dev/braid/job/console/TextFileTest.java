package dev.braid.job.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFileTest {

  @TempDir private Path folder;

  @Test
  void aFileOfTheGreatestLengthIsRead() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "one\ntwo\n");
    assertThat(TextFile.lines("--file", file, 8)).containsExactly("one", "two");
    assertRefused(file, 7, "--file: has 8 bytes; at most 7 are possible");
  }

  @Test
  void aByteOrderMarkAtTheBeginningIsNoneOfTheText() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "\ufeffone\n\ufefftwo\n");
    assertThat(TextFile.lines("--file", file, 99)).containsExactly("one", "\ufefftwo");
    assertThat(TextFile.lines("--file", Files.writeString(file, "\ufeff"), 99)).isEmpty();
    assertThat(TextFile.lines("--file", Files.writeString(file, ""), 99)).isEmpty();
  }

  /** The file takes no space on the disk, but its content would fill the memory. */
  @Test
  void aSparseFileIsNotRead() throws IOException {
    Path file = folder.resolve("file");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    assertRefused(file, 1 << 20, "--file: has 1099511627776 bytes; at most 1048576 are possible");
  }

  /** The device has a size of 0 and no end. */
  @Test
  void aDeviceWithoutAnEndIsReadToTheLimit() {
    assertRefused(Path.of("/dev/zero"), 1 << 20, "--file: has more than 1048576 bytes");
  }

  @Test
  void whatIsNoTextIsRefused() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[] {'a', '\n', (byte) 0xff});
    assertRefused(file, 8, "--file: not UTF-8");
    assertRefused(folder.resolve("nowhere"), 8, "--file: no such file");
    assertRefused(folder, 1 << 20, "--file: is a folder, must be a file");
  }

  private static void assertRefused(Path file, long maxBytes, String message) {
    assertThatThrownBy(() -> TextFile.lines("--file", file, maxBytes))
        .isInstanceOf(UsageException.class)
        .hasMessage(message);
  }
}
