package dev.braid.job.cluster;

import dev.braid.job.console.UsageException;
import dev.braid.job.rest.ClusterPlace;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Option {@code --folder}, which selects a cluster. */
final class FolderFlag {

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      defaultValue = ClusterPlace.DEFAULT,
      description = {
        "Folder of the cluster, for its configuration, logs, process numbers and the "
            + "checkpoints of its jobs.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String folder;

  ClusterFolder folder() {
    try {
      return ClusterFolder.at(Path.of(folder));
    } catch (InvalidPathException e) {
      throw new UsageException("--folder " + folder + ": not a path", e);
    }
  }
}
