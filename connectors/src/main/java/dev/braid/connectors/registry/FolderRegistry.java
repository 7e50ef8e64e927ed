package dev.braid.connectors.registry;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.files.PlacedFile;
import dev.braid.files.WholeFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * A registry in a folder on any file system that Flink supports. {@code v17.json} describes version
 * 17, and makes it visible: it is written after the version's other files, which are in the folder
 * {@code v17}, and deleted before them. The file {@code pinned} contains the name of the pinned
 * version.
 */
final class FolderRegistry implements ModelRegistry {

  private static final Pattern DESCRIPTION = Pattern.compile("(v[1-9]\\d{0,8})\\.json");
  private static final String PINNED = "pinned";
  private static final int MAX_PIN_BYTES = 64;

  private final String place;

  FolderRegistry(String place) {
    this.place = place;
  }

  @Override
  public String place() {
    return place;
  }

  @Override
  public SortedSet<Integer> numbers() throws IOException {
    SortedSet<Integer> numbers = new TreeSet<>();
    for (String name : PlacedFile.namesIn(place)) {
      Matcher matcher = DESCRIPTION.matcher(name);
      if (matcher.matches()) {
        numbers.add(ModelVersion.number(matcher.group(1)));
      }
    }
    return numbers;
  }

  @Override
  public OptionalInt pinned() throws IOException {
    Path file = new Path(place, PINNED);
    Optional<byte[]> name = read(file, MAX_PIN_BYTES);
    return name.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(ModelVersion.pinned(file.toString(), name.get()));
  }

  @Override
  public Optional<ModelVersion> version(int number) throws IOException {
    Path file = description(number);
    // Reads one byte more than the limit, to detect a file that exceeds it.
    Optional<byte[]> json = read(file, ModelVersion.MAX_BYTES + 1);
    return json.isEmpty()
        ? Optional.empty()
        : Optional.of(ModelVersion.parse(file.toString(), number, json.get()));
  }

  @Override
  public byte[] file(ModelVersion version, String name) throws IOException {
    Path file = file(version.number(), name);
    try {
      int length = version.lengthOf(file.toString(), name);
      byte[] content =
          read(file, length + 1)
              .orElseThrow(() -> new InvalidDataException(file + ": no such file"));
      return version.checked(file.toString(), name, content);
    } catch (InvalidDataException e) {
      if (exists(description(version.number()))) {
        throw e;
      }
      throw new IOException(file + ": the version was removed while it was read", e);
    }
  }

  private static boolean exists(Path file) throws IOException {
    return file.getFileSystem().exists(file);
  }

  private static Optional<byte[]> read(Path file, int limit) throws IOException {
    if (!exists(file)) {
      return Optional.empty();
    }
    try (InputStream in = file.getFileSystem().open(file)) {
      return Optional.of(in.readNBytes(limit));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public void publish(ModelVersion version, Map<String, byte[]> contents) throws IOException {
    version.requireContents(contents);
    byte[] description = version.toBytes();
    Optional<ModelVersion> earlier = version(version.number());
    if (earlier.isPresent()) {
      version.requireSameModel(place, earlier.get());
      return;
    }
    for (Map.Entry<String, byte[]> content : contents.entrySet()) {
      Path file = file(version.number(), content.getKey());
      // A job that publishes the version at the same time may have made the file visible already.
      // To replace it would remove it for a moment, in which the version cannot be loaded.
      boolean isThere =
          isThere(file, content.getValue())
              || WholeFile.create(file.toString(), out -> out.write(content.getValue()))
              || isThere(file, content.getValue());
      if (!isThere) {
        write(file, content.getValue());
      }
    }
    String file = description(version.number()).toString();
    if (!WholeFile.create(file, out -> out.write(description))) {
      Optional<ModelVersion> other = version(version.number());
      if (other.isPresent()) {
        version.requireSameModel(place, other.get());
      }
    }
  }

  private static boolean isThere(Path file, byte[] content) throws IOException {
    return read(file, content.length + 1).filter(it -> Arrays.equals(it, content)).isPresent();
  }

  private static void write(Path file, byte[] content) throws IOException {
    WholeFile.write(file.toString(), out -> out.write(content));
  }

  @Override
  public void pin(OptionalInt number) throws IOException {
    Path file = new Path(place, PINNED);
    if (number.isEmpty()) {
      delete(file);
      return;
    }
    if (!exists(description(number.getAsInt()))) {
      throw unknown(number.getAsInt());
    }
    byte[] name = (ModelVersion.name(number.getAsInt()) + "\n").getBytes(StandardCharsets.UTF_8);
    FileSystem disk = file.getFileSystem();
    if (!disk.isDistributedFS()) {
      write(file, name);
      return;
    }
    // If a rename does not replace the file, a follower would briefly find no pin, and use the
    // newest version.
    try (OutputStream out = disk.create(file, FileSystem.WriteMode.OVERWRITE)) {
      out.write(name);
    }
  }

  @Override
  public void remove(int number) throws IOException {
    delete(description(number));
    delete(folder(number));
  }

  /** Deletes a file, or a folder with all its contents, if it exists. */
  private static void delete(Path path) throws IOException {
    FileSystem disk = path.getFileSystem();
    if (disk.exists(path) && !disk.delete(path, true) && disk.exists(path)) {
      throw new IOException(path + ": cannot be deleted");
    }
  }

  @Override
  public SortedSet<Integer> removeLeftovers(long beforeMillis) throws IOException {
    SortedSet<Integer> visible = numbers();
    SortedSet<Integer> removed = new TreeSet<>();
    for (String name : PlacedFile.namesIn(place)) {
      if (ModelVersion.isName(name) && !visible.contains(ModelVersion.number(name))) {
        int number = ModelVersion.number(name);
        // The version may have become visible in the meantime.
        if (lastWritten(name) < beforeMillis && !exists(description(number))) {
          delete(folder(number));
          removed.add(number);
        }
      }
    }
    return removed;
  }

  /** Returns the time at which a folder or its latest file was written, in ms since 1970. */
  private long lastWritten(String folder) throws IOException {
    String inPlace = new Path(place, folder).toString();
    return Stream.concat(
            Stream.of(new PlacedFile(inPlace)),
            PlacedFile.namesIn(inPlace).stream().map(name -> PlacedFile.in(inPlace, name)))
        .map(PlacedFile::lastModifiedMillis)
        .flatMap(Optional::stream)
        .mapToLong(Long::longValue)
        .max()
        // If the file system does not report times, nothing may be deleted.
        .orElse(Long.MAX_VALUE);
  }

  private Path description(int number) {
    return new Path(place, ModelVersion.name(number) + ".json");
  }

  private Path folder(int number) {
    return new Path(place, ModelVersion.name(number));
  }

  private Path file(int number, String name) {
    return new Path(folder(number), name);
  }

  @Override
  public void close() {}
}
