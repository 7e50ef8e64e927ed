package dev.braid.job.options;

import dev.braid.files.PlacedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;

/**
 * Checkpoints in Flink's layout, {@code JOB/chk-N/_metadata}, on a local disk or on another file
 * system.
 */
public final class Checkpoints {

  private static final int DEPTH = 3;

  /**
   * Number of times that a seemingly empty folder is read. A job removes a checkpoint only once
   * there is a newer one, but a single reading may miss both.
   */
  private static final int READINGS = 10;

  private Checkpoints() {}

  /** Returns the newest complete checkpoint of any job below a place, a path or a URI. */
  public static Optional<String> newestBelow(String place) {
    return below(place).stream().findFirst();
  }

  /** Returns all complete checkpoints below a place, a path or a URI, the newest first. */
  public static List<String> below(String place) {
    return Validation.isLocal("--checkpoint-dir", place)
        ? below(Validation.localPath(place)).stream().map(Path::toString).toList()
        : RemoteCheckpoints.below(place);
  }

  /** Returns whether a place is within a folder. */
  public static boolean isBelow(String folder, String place) {
    boolean isLocal = Validation.isLocal("--checkpoint-dir", folder);
    if (isLocal != Validation.isLocal("--restore", place)) {
      return false;
    }
    return isLocal
        ? Validation.localPath(place).startsWith(Validation.localPath(folder))
        : place.startsWith(folder.replaceFirst("/*$", "/"));
  }

  /** Returns the newest complete checkpoint of any job in a folder. */
  public static Optional<Path> newestBelow(Path folder) {
    return below(folder).stream().findFirst();
  }

  /**
   * Returns all complete checkpoints of any job in a folder, the newest first. Leaves out those
   * that are removed meanwhile or cannot be read.
   */
  public static List<Path> below(Path folder) {
    Map<Path, Long> found = Map.of();
    for (int i = 0; i < READINGS && found.isEmpty(); i++) {
      found = read(folder);
    }
    return found.entrySet().stream()
        .sorted(Map.Entry.<Path, Long>comparingByValue().reversed())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the checkpoints below a folder, with their times in milliseconds since 1970. */
  private static Map<Path, Long> read(Path folder) {
    Reading reading = new Reading();
    try {
      Files.walkFileTree(folder, EnumSet.noneOf(FileVisitOption.class), DEPTH, reading);
    } catch (IOException e) {
      throw new UncheckedIOException("reading cannot continue", e);
    }
    return reading.found;
  }

  /** Returns the place of a run's checkpoints, a path or a URI; by default within its results. */
  public static String placeOf(TrainOptions options) {
    return options.recovery().checkpointDir().orElseGet(() -> besides(options.results().out()));
  }

  private static String besides(String out) {
    return PlacedFile.in(out, "checkpoints").place();
  }

  /** Returns the folder of a job's checkpoints, a path or a URI. */
  public static String folderOf(TrainOptions options, JobID job) {
    return PlacedFile.in(placeOf(options), job.toHexString()).place();
  }

  /**
   * Removes the folder that Flink leaves of a job that has ended, if it contains no file. Removes
   * its parent, too, unless the user has named it. Folders on other file systems stay, because
   * object stores have no empty folders.
   */
  public static void removeEmpty(TrainOptions options, JobID job) {
    if (!Validation.isLocal("--checkpoint-dir", placeOf(options))) {
      return;
    }
    Path folder = Validation.localPath(folderOf(options, job));
    removeEmpty(folder);
    if (placeOf(options).equals(besides(options.results().out()))) {
      removeEmpty(folder.getParent());
    }
  }

  static void removeEmpty(Path folder) {
    try (Stream<Path> below = Files.walk(folder)) {
      List<Path> deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
      if (deepestFirst.stream().allMatch(Files::isDirectory)) {
        for (Path empty : deepestFirst) {
          Files.delete(empty);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // The folder belongs to another user, or is not empty, so it stays.
    }
  }

  /** Visitor of a folder that a job may be writing to; it ignores errors. */
  private static final class Reading extends SimpleFileVisitor<Path> {
    final Map<Path, Long> found = new HashMap<>();

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (file.endsWith("_metadata")) {
        found.put(file.getParent(), attributes.lastModifiedTime().toMillis());
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) {
      return FileVisitResult.CONTINUE;
    }
  }
}
