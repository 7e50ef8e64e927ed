package dev.braid.job.cluster;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.util.FileUtils;

/** File that replaces a folder to which a run writes, as a cause of trouble. */
final class InTheWay {

  private InTheWay() {}

  /**
   * Moves a folder away and puts a file in its place. If the run has created the folder again in
   * the meantime, that folder is deleted.
   */
  static void put(Path folder, Path away) throws IOException {
    Files.move(folder, away);
    while (!Files.isRegularFile(folder)) {
      try {
        Files.createFile(folder);
      } catch (FileAlreadyExistsException e) {
        FileUtils.deleteDirectory(folder.toFile());
      }
    }
  }
}
