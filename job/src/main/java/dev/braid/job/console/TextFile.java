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

/** Reader for text files that a user has named; their content and length are unknown. */
public final class TextFile {

  /** Character that some editors write at the beginning of a UTF-8 file. */
  private static final int BYTE_ORDER_MARK = '\ufeff';

  private TextFile() {}

  /**
   * Returns the lines of a file or pipe.
   *
   * @param named the user's name for the file, which begins each message
   * @param maxBytes largest size accepted
   * @throws UsageException if the file does not exist, is longer, is not UTF-8 text, or cannot be
   *     read
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
   * Returns the lines of a file on any file system that Flink supports.
   *
   * @param named the user's name for the file, which begins each message
   * @param uri with the scheme of the file system
   * @param maxBytes largest size accepted
   * @throws UsageException if the file does not exist, is longer, is not UTF-8 text, or cannot be
   *     read
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

  /**
   * Reads the lines. It bounds the size while reading, because the size of a pipe or device is
   * unknown and a file may grow.
   */
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
