package dev.braid.run.result;

import dev.braid.chaos.ChaosConfig;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * What an earlier run has left in the folder for results. It is put aside before anything new is
 * written, into {@code earlier/} and a folder named after when it was last written: nothing old is
 * ever beside something new, and a model that took a day is not lost to a command given twice.
 */
public final class EarlierResults {

  public static final String HISTORY = "history.jsonl";
  public static final String MODEL = "model.zip";
  public static final String CARD = "model.json";
  public static final String BEST = "best.zip";

  /** How the run ended, for programs. */
  public static final String SUMMARY = "summary.json";

  /** All options of the run, to repeat it. */
  public static final String RUN = "run.yaml";

  /** Folder of the lineage of a run on a topic. */
  public static final String LINEAGE = "lineage";

  /** What the run looks like, for a browser. */
  public static final String PAGE = "run.html";

  /** What {@code braid train} writes, and its page. */
  public static final List<String> OF_TRAINING =
      List.of(HISTORY, MODEL, CARD, BEST, SUMMARY, RUN, PAGE);

  /** Those, and the logs of chaos events. */
  public static final List<String> ALL =
      Stream.concat(OF_TRAINING.stream(), Stream.of(ChaosConfig.APPLIED, ChaosConfig.DEAD_LETTERS))
          .toList();

  /** The log of an embedded run: goes with the results, and stays where there are none. */
  public static final String LOG = "braid.log";

  private static final String FOLDER = "earlier";

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'").withZone(ZoneOffset.UTC);

  private EarlierResults() {}

  /** Returns the place of a file or folder in the folder for results. */
  public static String in(String out, String name) {
    return out.endsWith("/") ? out + name : out + "/" + name;
  }

  /** What a job may find that it has not begun to write. */
  public static List<String> foundByJob(boolean writesChaosLogs) {
    return writesChaosLogs ? OF_TRAINING : ALL;
  }

  /** Puts them aside, of whatever age, with the log of their run. */
  public static Optional<String> putAside(String out, List<String> names) throws IOException {
    Optional<String> place = putAside(out, names, Long.MAX_VALUE);
    if (place.isPresent()) {
      Path log = new Path(out, LOG);
      FileSystem disk = log.getFileSystem();
      if (disk.exists(log)) {
        disk.rename(log, new Path(place.get(), LOG));
      }
    }
    return place;
  }

  /**
   * Puts them aside. A thread that is interrupted, as one that was given up, moves nothing more.
   *
   * @param out the folder, as a path or a URI
   * @param names of the files
   * @param earlierThanMillis what was written later stays
   * @return where they are now, if there were any
   */
  public static Optional<String> putAside(String out, List<String> names, long earlierThanMillis)
      throws IOException {
    Path folder = new Path(out);
    FileSystem disk = folder.getFileSystem();
    List<FileStatus> found = found(disk, folder, names, earlierThanMillis);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Path target = target(disk, folder, found);
    disk.mkdirs(target);
    for (FileStatus file : found) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException(file.getPath() + ": the move was interrupted");
      }
      Path moved = new Path(target, file.getPath().getName());
      if (!disk.rename(file.getPath(), moved)) {
        throw new IOException(file.getPath() + ": could not be moved to " + moved);
      }
    }
    return Optional.of(target.toString());
  }

  private static List<FileStatus> found(
      FileSystem disk, Path folder, List<String> names, long earlierThanMillis) throws IOException {
    List<FileStatus> found = new ArrayList<>();
    for (String name : names) {
      Path file = new Path(folder, name);
      if (disk.exists(file)) {
        FileStatus status = disk.getFileStatus(file);
        if (status.getModificationTime() < earlierThanMillis) {
          found.add(status);
        }
      }
    }
    return found;
  }

  /** The latest of this name that was put aside from a file's folder. */
  public static Optional<java.nio.file.Path> latest(java.nio.file.Path file) {
    java.nio.file.Path earlier = file.toAbsolutePath().resolveSibling(FOLDER);
    try (Stream<java.nio.file.Path> folders = Files.list(earlier)) {
      return folders
          .map(folder -> folder.resolve(file.getFileName()))
          .filter(Files::isRegularFile)
          .max(Comparator.comparingLong(found -> found.toFile().lastModified()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Path target(FileSystem disk, Path folder, List<FileStatus> found)
      throws IOException {
    long millis = found.stream().mapToLong(FileStatus::getModificationTime).max().orElseThrow();
    Path parent = new Path(folder, FOLDER);
    String name = NAME.format(Instant.ofEpochMilli(millis));
    Path target = new Path(parent, name);
    for (int i = 2; disk.exists(target); i++) {
      target = new Path(parent, name + "-" + i);
    }
    return target;
  }
}
