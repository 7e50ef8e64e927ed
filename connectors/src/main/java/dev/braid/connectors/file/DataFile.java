package dev.braid.connectors.file;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * One file of a data set, on disk or on the class path, gzipped or not.
 *
 * <p>Gzip is recognised by the content, so that a plain file that a browser has renamed still
 * opens. A file whose name ends in {@code .gz} must be gzipped.
 */
public final class DataFile {

  /**
   * Highest ratio of a gzipped file's content to its size. Deflate can expand data 1032-fold, and
   * numbers 10- to 20-fold; images and tables that are nearly all zeros are in between.
   */
  static final long MAX_EXPANSION = 200;

  /**
   * Content size that is allowed for any gzipped file, because a small one may contain only zeros.
   */
  static final long MIN_EXPANDED_BYTES = 64 << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private final String name;
  private final long storedBytes;
  private final boolean gzip;
  private final Opener opener;

  private interface Opener {
    InputStream open() throws IOException;
  }

  private DataFile(String name, long storedBytes, Opener opener) {
    this.name = name;
    this.storedBytes = storedBytes;
    this.opener = opener;
    boolean magic;
    try (InputStream in = opener.open()) {
      magic = in.read() == 0x1f && in.read() == 0x8b;
    } catch (IOException e) {
      throw failure(e);
    }
    if (name.endsWith(".gz") && !magic) {
      throw new InvalidDataException(
          name + ": not a gzip file, but its name ends like one: compress or rename it");
    }
    this.gzip = magic;
  }

  /**
   * Returns a file on disk.
   *
   * @throws InvalidDataException if it does not exist or cannot be read
   */
  public static DataFile at(Path path) {
    if (!Files.isRegularFile(path)) {
      throw new InvalidDataException(path + ": no such file");
    }
    try {
      return new DataFile(path.toString(), Files.size(path), () -> Files.newInputStream(path));
    } catch (IOException e) {
      throw InvalidDataException.unreadable(path.toString(), e);
    }
  }

  /** Returns a file whose content is in memory. */
  public static DataFile of(String name, byte[] content) {
    return new DataFile(name, content.length, () -> new ByteArrayInputStream(content));
  }

  /**
   * Returns a file on the class path, which may be in another jar than this class; empty if it is
   * not there.
   */
  public static Optional<DataFile> resource(String path) {
    URL url = DataFile.class.getResource(path);
    if (url == null) {
      return Optional.empty();
    }
    try {
      URLConnection connection = url.openConnection();
      // The jobs of a process would share a cached jar, and the first that ends would close it.
      connection.setUseCaches(false);
      try (InputStream in = connection.getInputStream()) {
        return Optional.of(of(path, in.readAllBytes()));
      }
    } catch (IOException e) {
      throw InvalidDataException.unreadable(path, e);
    }
  }

  public String name() {
    return name;
  }

  public boolean isGzip() {
    return gzip;
  }

  /** Returns the number of bytes of the file as it is stored. */
  public long storedBytes() {
    return storedBytes;
  }

  /**
   * Returns the highest possible number of bytes of the content. Sizes in a header are compared
   * with it before memory is allocated.
   */
  public long mostContentBytes() {
    return gzip ? Math.max(MIN_EXPANDED_BYTES, storedBytes * MAX_EXPANSION) : storedBytes;
  }

  /** Opens the content, unzipped. */
  public InputStream open() throws IOException {
    InputStream in = opener.open();
    try {
      return gzip
          ? new BoundedInput(
              new GZIPInputStream(in, BUFFER_BYTES), mostContentBytes(), this::tooLong)
          : new BufferedInputStream(in, 1 << 13);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /**
   * Opens the content, unzipped.
   *
   * @throws InvalidDataException if it cannot be read
   */
  public InputStream content() {
    try {
      return open();
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private InvalidDataException tooLong() {
    return new InvalidDataException(
        "%s: unzips to more than %d bytes from %d: unzip it first, if that is right"
            .formatted(name, mostContentBytes(), storedBytes));
  }

  /** Returns a reader of UTF-8 text that fails for malformed bytes instead of replacing them. */
  public static Reader utf8(InputStream in) {
    return new InputStreamReader(
        in,
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT));
  }

  /** Returns an exception with a message for the user, after reading the content has failed. */
  public InvalidDataException failure(IOException e) {
    if (e instanceof CharacterCodingException) {
      return new InvalidDataException(name + ": not UTF-8: save it as UTF-8", e);
    }
    if (gzip && e instanceof ZipException) {
      return new InvalidDataException(name + ": corrupt gzip: " + e.getMessage(), e);
    }
    if (gzip && e instanceof EOFException) {
      return new InvalidDataException(name + ": truncated: the gzip stream has no end", e);
    }
    return InvalidDataException.unreadable(name, e);
  }
}
