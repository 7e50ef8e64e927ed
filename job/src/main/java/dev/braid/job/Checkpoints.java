package dev.braid.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Checkpoints as Flink leaves them on a local disk: {@code JOB/chk-N/_metadata}. */
final class Checkpoints {

  private static final int DEPTH = 3;

  private Checkpoints() {}

  /** The newest complete checkpoint in a folder, of whatever job. */
  static Optional<Path> newestBelow(Path folder) {
    return below(folder).stream().findFirst();
  }

  /** All complete checkpoints in a folder, of whatever jobs, the newest first. */
  static List<Path> below(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder, DEPTH)) {
      // Each is asked once for its time: it may change while they are put in order.
      return files
          .filter(file -> file.endsWith("_metadata"))
          .map(file -> Map.entry(file.toFile().lastModified(), file.getParent()))
          .sorted(Map.Entry.<Long, Path>comparingByKey().reversed())
          .map(Map.Entry::getValue)
          .toList();
    } catch (IOException | UncheckedIOException e) {
      // A checkpoint that is being removed meanwhile, or one of another user: then none.
      return List.of();
    }
  }
}
