package dev.braid.connectors.registry;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.files.PlacedFile;
import dev.braid.files.WholeFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * A registry in a folder on any file system that Flink knows. {@code v17.json} describes version
 * 17, and makes it visible: it is written after the version's other files, which are in the folder
 * {@code v17}. The file {@code pinned} has the name of the pinned version.
 */
final class FolderRegistry implements ModelRegistry {

  private static final Pattern NAME = Pattern.compile("(v[1-9]\\d{0,8})\\.json");
  private static final String PINNED = "pinned";
  private static final int MAX_DESCRIPTION = 4 << 20;

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
      Matcher matcher = NAME.matcher(name);
      if (matcher.matches()) {
        numbers.add(ModelVersion.number(matcher.group(1)));
      }
    }
    return numbers;
  }

  @Override
  public OptionalInt pinned() throws IOException {
    Optional<byte[]> name = read(new Path(place, PINNED), MAX_DESCRIPTION);
    return name.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(
            ModelVersion.number(new String(name.get(), StandardCharsets.UTF_8).strip()));
  }

  @Override
  public Optional<ModelVersion> version(int number) throws IOException {
    Path file = description(number);
    Optional<byte[]> json = read(file, MAX_DESCRIPTION);
    if (json.isEmpty()) {
      return Optional.empty();
    }
    ModelVersion version =
        ModelVersion.parse(file.toString(), new String(json.get(), StandardCharsets.UTF_8));
    if (version.number() != number) {
      throw new InvalidDataException(file + ": it describes version " + version.number());
    }
    return Optional.of(version);
  }

  @Override
  public byte[] file(ModelVersion version, String name) throws IOException {
    ModelVersion.FileSum sum = version.files().get(name);
    Path file = file(version.number(), name);
    if (sum == null) {
      throw new InvalidDataException(file + ": the version has no such file");
    }
    // One byte more than it should have shows that it has more.
    byte[] content =
        read(file, (int) Math.min(Integer.MAX_VALUE - 8L, sum.bytes() + 1))
            .orElseThrow(() -> new InvalidDataException(file + ": there is no such file"));
    return version.checked(file.toString(), name, content);
  }

  private static Optional<byte[]> read(Path file, int limit) throws IOException {
    FileSystem disk = file.getFileSystem();
    if (!disk.exists(file)) {
      return Optional.empty();
    }
    try (InputStream in = disk.open(file)) {
      return Optional.of(in.readNBytes(limit));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public void publish(ModelVersion version, Map<String, byte[]> contents) throws IOException {
    Optional<ModelVersion> earlier = version(version.number());
    if (earlier.isPresent()) {
      if (!earlier.get().isSameModel(version)) {
        throw new InvalidDataException(
            "%s: version %s of another run is there".formatted(place, version.name()));
      }
      return;
    }
    for (Map.Entry<String, byte[]> content : contents.entrySet()) {
      write(file(version.number(), content.getKey()), content.getValue());
    }
    write(description(version.number()), version.toJson().getBytes(StandardCharsets.UTF_8));
  }

  private static void write(Path file, byte[] content) throws IOException {
    WholeFile.write(file.toString(), out -> out.write(content));
  }

  @Override
  public void pin(OptionalInt number) throws IOException {
    Path file = new Path(place, PINNED);
    if (number.isPresent()) {
      write(file, (ModelVersion.name(number.getAsInt()) + "\n").getBytes(StandardCharsets.UTF_8));
    } else {
      file.getFileSystem().delete(file, false);
    }
  }

  @Override
  public void remove(int number) throws IOException {
    Path file = description(number);
    FileSystem disk = file.getFileSystem();
    disk.delete(file, false);
    disk.delete(new Path(place, ModelVersion.name(number)), true);
  }

  private Path description(int number) {
    return new Path(place, ModelVersion.name(number) + ".json");
  }

  private Path file(int number, String name) {
    return new Path(new Path(place, ModelVersion.name(number)), name);
  }

  @Override
  public void close() {}
}
