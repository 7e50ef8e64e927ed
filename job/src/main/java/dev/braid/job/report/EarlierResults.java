package dev.braid.job.report;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
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

  /** What the run looks like, for a browser. */
  public static final String PAGE = "run.html";

  /** What a job writes. */
  static final List<String> OF_JOB =
      List.of(ReportConfig.HISTORY, ReportConfig.MODEL, ReportConfig.CARD, ReportConfig.BEST);

  /** What {@code braid train} writes: those, and its page. */
  public static final List<String> OF_TRAINING = with(OF_JOB, PAGE);

  private static final List<String> CHAOS_LOGS =
      List.of("chaos-applied.jsonl", "chaos-dead-letters.jsonl");

  /** Those, and the logs of chaos events. */
  public static final List<String> ALL = with(OF_TRAINING, CHAOS_LOGS.toArray(String[]::new));

  private static final String FOLDER = "earlier";

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH-mm-ss'Z'").withZone(ZoneOffset.UTC);

  private EarlierResults() {}

  /** What a job may find that it has not begun to write. */
  static List<String> foundByJob(boolean writesChaosLogs) {
    return writesChaosLogs ? OF_JOB : with(OF_JOB, CHAOS_LOGS.toArray(String[]::new));
  }

  /**
   * Puts them aside.
   *
   * @param out the folder, as a path or a URI
   * @param names of the files
   * @return where they are now, if there were any
   */
  public static Optional<String> putAside(String out, List<String> names) throws IOException {
    Path folder = new Path(out);
    FileSystem disk = folder.getFileSystem();
    List<FileStatus> found = found(disk, folder, names);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Path target = target(disk, folder, found);
    disk.mkdirs(target);
    for (FileStatus file : found) {
      Path moved = new Path(target, file.getPath().getName());
      if (!disk.rename(file.getPath(), moved)) {
        throw new IOException(file.getPath() + ": could not be moved to " + moved);
      }
    }
    return Optional.of(target.toString());
  }

  private static List<String> with(List<String> names, String... others) {
    return Stream.concat(names.stream(), Stream.of(others)).toList();
  }

  private static List<FileStatus> found(FileSystem disk, Path folder, List<String> names)
      throws IOException {
    List<FileStatus> found = new ArrayList<>();
    for (String name : names) {
      Path file = new Path(folder, name);
      if (disk.exists(file)) {
        found.add(disk.getFileStatus(file));
      }
    }
    return found;
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
