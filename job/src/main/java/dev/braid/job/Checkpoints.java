package dev.braid.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Checkpoints as Flink leaves them on a local disk: {@code JOB/chk-N/_metadata}. */
final class Checkpoints {

  private static final int DEPTH = 3;

  private Checkpoints() {}

  /** The newest complete checkpoint in a folder, of whatever job. */
  static Optional<Path> newestBelow(Path folder) {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.walk(folder, DEPTH)) {
      return files
          .filter(file -> file.endsWith("_metadata"))
          .max(Comparator.comparing(Checkpoints::lastModified))
          .map(Path::getParent);
    } catch (IOException | UncheckedIOException e) {
      // A checkpoint that is being removed meanwhile, or one of another user: then no hint.
      return Optional.empty();
    }
  }

  private static long lastModified(Path file) {
    return file.toFile().lastModified();
  }
}
