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
 * Results that an earlier run has left in the folder for results. They are moved to a folder {@code
 * earlier/TIME}, named after the time of their last change, before the new run writes anything. Old
 * and new files are thus never next to each other, and repeating a command does not lose a model
 * that took a day.
 */
public final class EarlierResults {

  public static final String HISTORY = "history.jsonl";
  public static final String MODEL = "model.zip";
  public static final String CARD = "model.json";
  public static final String BEST = "best.zip";

  /** Summary of how the run ended, for programs. */
  public static final String SUMMARY = "summary.json";

  /** All options of the run, to repeat it. */
  public static final String RUN = "run.yaml";

  /** Folder of the lineage of a run on a topic. */
  public static final String LINEAGE = "lineage";

  /** Page that shows the run in a browser. */
  public static final String PAGE = "run.html";

  /** Files of {@code braid train}, with its page. */
  public static final List<String> OF_TRAINING =
      List.of(HISTORY, MODEL, CARD, BEST, SUMMARY, RUN, PAGE);

  /** Files of {@link #OF_TRAINING} and the logs of chaos events. */
  public static final List<String> ALL =
      Stream.concat(OF_TRAINING.stream(), Stream.of(ChaosConfig.APPLIED, ChaosConfig.DEAD_LETTERS))
          .toList();

  /** Log of an embedded run; it is moved together with results, and stays if there are none. */
  public static final String LOG = "braid.log";

  private static final String FOLDER = "earlier";

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'").withZone(ZoneOffset.UTC);

  private EarlierResults() {}

  /** Returns the path of a file or folder in the folder for results. */
  public static String in(String out, String name) {
    return out.endsWith("/") ? out + name : out + "/" + name;
  }

  /** Returns the files that are of an earlier run if a job finds them before it writes. */
  public static List<String> foundByJob(boolean writesChaosLogs) {
    return writesChaosLogs ? OF_TRAINING : ALL;
  }

  /** Moves files of any age, with the log of their run. */
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
   * Moves files that an earlier run has left. If the thread is interrupted, as after a time-out, it
   * moves no further file.
   *
   * @param out the folder, as a path or a URI
   * @param names names of the files
   * @param earlierThanMillis time in ms since 1970; files written at or after it stay
   * @return the folder to which they were moved; empty if there were none
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

  /** Returns the latest file of this name that was moved out of a file's folder. */
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
