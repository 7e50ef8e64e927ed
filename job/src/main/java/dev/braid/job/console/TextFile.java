package dev.braid.job.console;

import dev.braid.connectors.file.BoundedInput;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;

/** Files of lines that a user has named; they may be anything, and of any length. */
public final class TextFile {

  /** Some editors write it at the beginning of a file in UTF-8. */
  private static final int BYTE_ORDER_MARK = '\ufeff';

  private TextFile() {}

  /**
   * The lines of a file, or of a pipe.
   *
   * @param named how the user has named it, for the message
   * @param maxBytes how many there may be
   * @throws UsageException if it is not there, longer, no text, or cannot be read
   */
  public static List<String> lines(String named, Path file, long maxBytes) {
    try {
      if (Files.isDirectory(file)) {
        throw new UsageException(named + ": is a folder, must be a file");
      }
      if (Files.size(file) > maxBytes) {
        throw new UsageException(
            named + ": has " + Files.size(file) + " bytes; at most " + maxBytes + " are possible");
      }
      return read(named, Files.newInputStream(file), maxBytes);
    } catch (NoSuchFileException e) {
      throw new UsageException(named + ": no such file", e);
    } catch (IOException e) {
      throw new UsageException(named + ": cannot be read", e);
    }
  }

  /**
   * The lines of a file of any file system that Flink knows.
   *
   * @param named how the user has named it, for the message
   * @param uri with the file system's scheme
   * @param maxBytes how many there may be
   * @throws UsageException if it is not there, longer, no text, or cannot be read
   */
  public static List<String> linesOfFlink(String named, String uri, long maxBytes) {
    try {
      org.apache.flink.core.fs.Path file = new org.apache.flink.core.fs.Path(uri);
      return read(named, file.getFileSystem().open(file), maxBytes);
    } catch (FileNotFoundException e) {
      throw new UsageException(named + ": no such file", e);
    } catch (UnsupportedFileSystemSchemeException e) {
      throw new UsageException(named + ": Flink knows no such file system here", e);
    } catch (IOException e) {
      throw new UsageException(named + ": cannot be read: " + e.getMessage(), e);
    }
  }

  /** What a pipe or a device has is not known before, and a file may grow. */
  private static List<String> read(String named, InputStream opened, long maxBytes)
      throws IOException {
    try (InputStream in = opened;
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(
                    new BoundedInput(
                        in,
                        maxBytes,
                        () -> new UsageException(named + ": has more than " + maxBytes + " bytes")),
                    StandardCharsets.UTF_8.newDecoder()))) {
      reader.mark(1);
      if (reader.read() != BYTE_ORDER_MARK) {
        reader.reset();
      }
      return reader.lines().toList();
    } catch (CharacterCodingException e) {
      throw new UsageException(named + ": not UTF-8", e);
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof CharacterCodingException) {
        throw new UsageException(named + ": not UTF-8", e.getCause());
      }
      throw e.getCause();
    }
  }
}
