package dev.braid.connectors.lineage;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.files.PlacedFile;
import dev.braid.files.WholeFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * A lineage in a folder on any file system that Flink supports.
 *
 * <p>Entries are numbered from 0. A file contains consecutive entries, one per line. An append
 * names its file by the number of its first entry: {@code 000000004711.jsonl}. Files of few entries
 * are merged from time to time into one file, which is named by its first and last entry: {@code
 * 000000004608-000000004863.jsonl}. Then the merged files are deleted. If the deletion was
 * interrupted, some entries exist twice. Files are written as a whole and never replaced, so that a
 * process that dies leaves no partial file, and loses none.
 */
final class FolderLineage implements Lineage {

  /** Number of files of single appends that are merged into one. */
  private static final int MERGED = 256;

  /** Highest number of successive passes without new entries, in a folder whose files change. */
  private static final int TRIES = 10;

  /** Pause after the first pass without new entries; each later pause is twice as long. */
  private static final long FIRST_PAUSE_MILLIS = 5;

  private static final Pattern NAME = Pattern.compile("(\\d{12})(?:-(\\d{12}))?\\.jsonl");

  /** Pause between appends after which another process may have taken over and merged files. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final String place;
  private final List<Path> appended = new ArrayList<>();
  private long appendedNanos = System.nanoTime();
  private long size;

  private FolderLineage(String place, long size) {
    this.place = place;
    this.size = size;
  }

  /**
   * Opens a folder, which need not exist yet.
   *
   * @param place a path, or a URI of a file system that Flink supports
   * @throws IOException if it cannot be read
   */
  static FolderLineage open(String place) throws IOException {
    FolderLineage lineage = new FolderLineage(place, 0);
    lineage.size = lineage.read(Long.MAX_VALUE, Integer.MAX_VALUE).end();
    return lineage;
  }

  @Override
  public String place() {
    return place;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Optional<LineageEntry.Began> began() throws IOException {
    return read(0, 1).entries().stream().findFirst().map(first -> Lineage.began(place, first));
  }

  @Override
  public List<LineageEntry> entries(long from) throws IOException {
    return read(from, Integer.MAX_VALUE).entries();
  }

  @Override
  public void append(List<LineageEntry> entries) throws IOException {
    Path file = file(size);
    FileSystem disk = file.getFileSystem();
    boolean isTaken = disk.exists(file) || (hasPaused() && hasEntriesFrom(size));
    if (isTaken) {
      throw new FileAlreadyExistsException(
          file + ": another process has written to it: a lineage belongs to one run");
    }
    write(file, entries.stream().map(LineageEntry::toJson).toList());
    appendedNanos = System.nanoTime();
    size += entries.size();
    appended.add(file);
    if (appended.size() == MERGED) {
      merge(disk, appended);
      appended.clear();
    }
  }

  private boolean hasPaused() {
    return System.nanoTime() - appendedNanos > PAUSE.toNanos();
  }

  private boolean hasEntriesFrom(long number) throws IOException {
    return files().stream().anyMatch(file -> first(file) >= number);
  }

  /**
   * Merges files of few entries that earlier processes have left. This process's first append stops
   * appends of earlier processes. The last process may still be alive and about to merge its own
   * files, so the newest files are not merged.
   */
  @Override
  public void claim() throws IOException {
    FileSystem disk = new Path(place).getFileSystem();
    List<Path> files = files();
    int newest = Math.max(0, files.size() - MERGED);
    int oldest = newest;
    while (oldest > 0 && first(files.get(oldest)) - first(files.get(oldest - 1)) < MERGED) {
      oldest--;
    }
    merge(disk, files.subList(oldest, newest));
  }

  private Path file(long first) {
    return new Path(place, String.format("%012d.jsonl", first));
  }

  /** Replaces consecutive files by one. */
  private static void merge(FileSystem disk, List<Path> files) throws IOException {
    if (files.size() < 2) {
      return;
    }
    List<String> lines = new ArrayList<>();
    for (Path file : files) {
      long end = first(files.get(0)) + lines.size();
      if (first(file) > end) {
        throw new InvalidDataException(gap(file, end));
      }
      // An interrupted merge has left some entries twice.
      int known = (int) (end - first(file));
      List<String> own = lines(file);
      lines.addAll(own.subList(Math.min(known, own.size()), own.size()));
    }
    long first = first(files.get(0));
    String name = String.format("%012d-%012d.jsonl", first, first + lines.size() - 1);
    Path merged = new Path(files.get(0).getParent(), name);
    // After an interrupted merge, the merged file may exist, and only the deletion remains.
    if (!files.contains(merged)) {
      write(merged, lines);
    }
    for (Path file : files) {
      if (!file.equals(merged)) {
        disk.delete(file, false);
      }
    }
  }

  private static void write(Path file, List<String> lines) throws IOException {
    byte[] text = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    WholeFile.write(file.toString(), out -> out.write(text));
  }

  private record Entries(List<LineageEntry> entries, long end) {}

  /**
   * Reads entries, and determines the number of all entries.
   *
   * @param from number of the first entry to read
   * @param most highest number of entries to read; a file that exceeds it is read as a whole
   */
  private Entries read(long from, int most) throws IOException {
    List<LineageEntry> entries = new ArrayList<>();
    for (int idle = 1; ; idle++) {
      int known = entries.size();
      try {
        long end = readOn(from, most, entries);
        return new Entries(entries, end);
      } catch (FileNotFoundException e) {
        // While files are merged, a listing may contain deleted files and lack new ones.
        if (entries.size() > known) {
          idle = 0;
        } else if (idle == TRIES) {
          throw new InvalidDataException(e.getMessage(), e);
        } else {
          pause(FIRST_PAUSE_MILLIS << (idle - 1));
        }
      }
    }
  }

  private void pause(long millis) throws InterruptedIOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(place + ": interrupted");
    }
  }

  /**
   * Adds the entries after those that have been read.
   *
   * @param from number of the first requested entry
   * @param most highest number of entries to read
   * @param entries entries that have been read, in order
   * @return number of entries in the lineage, as far as it was read
   */
  private long readOn(long from, int most, List<LineageEntry> entries) throws IOException {
    List<Path> files = files();
    long end = 0;
    for (int i = 0; i < files.size() && entries.size() < most; i++) {
      Path file = files.get(i);
      long first = first(file);
      if (first > end) {
        throw new FileNotFoundException(gap(file, end));
      }
      if (first < end) {
        // An earlier, merged file contains all its entries.
        continue;
      }
      long next = from + entries.size();
      if (i + 1 < files.size() && first(files.get(i + 1)) <= next) {
        // The file has no requested entries, and the next file's name shows where it ends.
        end = first(files.get(i + 1));
        continue;
      }
      List<String> lines = lines(file);
      long known = Math.min(Math.max(0, next - first), lines.size());
      for (int line = (int) known; line < lines.size(); line++) {
        entries.add(LineageEntry.parse(file + ":" + (line + 1), lines.get(line)));
      }
      end = first + lines.size();
    }
    return end;
  }

  /** Returns the message for entries that are missing before a file. */
  private static String gap(Path file, long end) {
    return "%s: the entries %d to %d of the lineage are missing"
        .formatted(file, end, first(file) - 1);
  }

  private static long first(Path file) {
    Matcher name = NAME.matcher(file.getName());
    return name.matches() ? Long.parseLong(name.group(1)) : -1;
  }

  /** Returns the number of a merged file's last entry, or of any other file's first entry. */
  private static long lastInName(Path file) {
    Matcher name = NAME.matcher(file.getName());
    return name.matches() && name.group(2) != null ? Long.parseLong(name.group(2)) : first(file);
  }

  private List<Path> files() throws IOException {
    return PlacedFile.namesIn(place).stream()
        .map(name -> new Path(place, name))
        .filter(file -> first(file) >= 0)
        // A merged file comes before the files whose entries it contains.
        .sorted(
            Comparator.comparingLong(FolderLineage::first)
                .thenComparing(Comparator.comparingLong(FolderLineage::lastInName).reversed()))
        .toList();
  }

  private static List<String> lines(Path file) throws IOException {
    FileSystem disk = file.getFileSystem();
    try (InputStream in = disk.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      // An object store may detect a missing file only at the first read, and throw another
      // exception.
      if (!(e instanceof FileNotFoundException) && !disk.exists(file)) {
        throw (FileNotFoundException) new FileNotFoundException(file.toString()).initCause(e);
      }
      throw e;
    }
  }

  @Override
  public void close() {}
}
