package dev.braid.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary folders below the working folder, whose paths are shown relative to it. */
public final class BelowHere implements TempDirFactory {

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    Path target = Files.createDirectories(Path.of("target")).toAbsolutePath();
    return Files.createTempDirectory(target, "below-here");
  }

  /** Returns a path relative to the working folder, as a user types it. */
  public static String typed(Path path) {
    return Path.of("").toAbsolutePath().relativize(path).toString();
  }
}
