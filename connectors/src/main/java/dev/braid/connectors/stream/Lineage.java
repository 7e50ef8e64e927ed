package dev.braid.connectors.stream;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.files.WholeFile;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * The durable log of a run's deals: a folder on any file system that Flink knows. From it and the
 * topic, the model can be recomputed as it was after any round.
 *
 * <p>Entries are numbered from 0. A file has some that follow each other, a line each, and is named
 * by the number of its first: {@code 000000004711.jsonl}. Files are written whole, so that a
 * process that dies leaves no half of one. Files of few entries are merged into one from time to
 * time; where that was interrupted, some entries are there twice.
 */
public final class Lineage {

  /** So many files of single appends are merged into one. */
  private static final int MERGED = 256;

  /** So often a folder is read in which files come and go. */
  private static final int TRIES = 100;

  private static final Pattern NAME = Pattern.compile("(\\d{12})\\.jsonl");

  private final String place;
  private final List<Path> appended = new ArrayList<>();
  private long size;

  private Lineage(String place, long size) {
    this.place = place;
    this.size = size;
  }

  /**
   * Opens a folder, which need not be there yet.
   *
   * @param place a path, or a URI of a file system that Flink knows
   * @throws IOException if it cannot be read
   */
  public static Lineage open(String place) throws IOException {
    Lineage lineage = new Lineage(place, 0);
    lineage.size = lineage.read(Long.MAX_VALUE).end();
    return lineage;
  }

  /** Returns the place of the folder. */
  public String place() {
    return place;
  }

  /** Returns the number of entries. */
  public long size() {
    return size;
  }

  /** Returns the first entry, if there is one, without reading the others. */
  public Optional<LineageEntry.Began> began() throws IOException {
    if (size == 0) {
      return Optional.empty();
    }
    Path file = file(0);
    String line = lines(file.getFileSystem(), file).get(0);
    if (LineageEntry.parse(file + ":1", line) instanceof LineageEntry.Began began) {
      return Optional.of(began);
    }
    throw new InvalidDataException(place + ": the first line of a lineage says how it began");
  }

  /** Returns the entries from a number on, in their order. */
  public List<LineageEntry> entries(long from) throws IOException {
    return read(from).entries();
  }

  /**
   * Adds entries. They are on the disk when this returns.
   *
   * @throws FileAlreadyExistsException if another process has added entries since this lineage was
   *     opened; then none of these is there
   * @throws IOException if they cannot be written; then none of them is there
   */
  public void append(List<LineageEntry> entries) throws IOException {
    Path file = file(size);
    FileSystem disk = file.getFileSystem();
    if (disk.exists(file)) {
      throw new FileAlreadyExistsException(
          file + ": another process has written it: a lineage is that of one run");
    }
    write(file, entries.stream().map(LineageEntry::toJson).toList());
    size += entries.size();
    appended.add(file);
    if (appended.size() == MERGED) {
      merge(disk);
    }
  }

  private Path file(long first) {
    return new Path(place, String.format("%012d.jsonl", first));
  }

  private void merge(FileSystem disk) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path file : appended) {
      lines.addAll(lines(disk, file));
    }
    write(appended.get(0), lines);
    for (Path file : appended.subList(1, appended.size())) {
      disk.delete(file, false);
    }
    appended.clear();
  }

  private static void write(Path file, List<String> lines) throws IOException {
    byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    WholeFile.write(file.toString(), out -> out.write(text));
  }

  private record Entries(List<LineageEntry> entries, long end) {}

  /** Reads the entries from a number on, and finds how many there are. */
  private Entries read(long from) throws IOException {
    FileNotFoundException changes = new FileNotFoundException(place + ": its files keep changing");
    for (int i = 0; i < TRIES; i++) {
      try {
        return readFiles(from);
      } catch (FileNotFoundException e) {
        // The process that writes the lineage has merged or renamed a file since it was listed.
        changes.addSuppressed(e);
      }
    }
    throw changes;
  }

  private Entries readFiles(long from) throws IOException {
    FileSystem disk = new Path(place).getFileSystem();
    List<LineageEntry> entries = new ArrayList<>();
    long end = 0;
    List<Path> files = files(disk);
    for (int i = 0; i < files.size(); i++) {
      Path file = files.get(i);
      long first = first(file);
      if (first > end) {
        throw new InvalidDataException(
            "%s: the entries %d to %d of the lineage are missing".formatted(file, end, first - 1));
      }
      boolean isBefore = i + 1 < files.size() && first(files.get(i + 1)) <= from;
      if (isBefore && first == end) {
        // What is in it is not asked for, and the next file says how much that is.
        end = first(files.get(i + 1));
        continue;
      }
      List<String> lines = lines(disk, file);
      for (int line = (int) Math.max(0, end - first); line < lines.size(); line++) {
        if (first + line >= from) {
          entries.add(LineageEntry.parse(file + ":" + (line + 1), lines.get(line)));
        }
      }
      end = Math.max(end, first + lines.size());
    }
    return new Entries(entries, end);
  }

  private static long first(Path file) {
    Matcher name = NAME.matcher(file.getName());
    return name.matches() ? Long.parseLong(name.group(1)) : -1;
  }

  private List<Path> files(FileSystem disk) throws IOException {
    return names(disk)
        .map(name -> new Path(place, name))
        .filter(file -> first(file) >= 0)
        .sorted(Comparator.comparingLong(Lineage::first))
        .toList();
  }

  private Stream<String> names(FileSystem disk) throws IOException {
    Path folder = new Path(place);
    if (!disk.exists(folder)) {
      return Stream.empty();
    }
    if (disk.isDistributedFS()) {
      return Optional.ofNullable(disk.listStatus(folder)).stream()
          .flatMap(Stream::of)
          .map(status -> status.getPath().getName());
    }
    // Flink looks at each file of a local folder, and fails where one has been renamed since it was
    // listed: as each append renames one, it would fail nearly every time.
    try (Stream<java.nio.file.Path> files =
        Files.list(java.nio.file.Path.of(folder.toUri().getPath()))) {
      return files.map(file -> file.getFileName().toString()).toList().stream();
    }
  }

  private static List<String> lines(FileSystem disk, Path file) throws IOException {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(disk.open(file), StandardCharsets.UTF_8))) {
      return in.lines().toList();
    }
  }
}
