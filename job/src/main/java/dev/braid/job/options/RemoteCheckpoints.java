package dev.braid.job.options;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * Checkpoints on a file system other than this machine's disks. A listing there is a request over a
 * network, and a slow one for the folder that a job shares among its checkpoints. Therefore, only
 * folders that may contain checkpoints are listed.
 */
final class RemoteCheckpoints {

  private static final int DEPTH = 3;

  /** Folders of Flink next to a job's checkpoints. */
  private static final Set<String> NO_CHECKPOINTS = Set.of("shared", "taskowned");

  private static final String METADATA = "_metadata";

  private record Found(Path folder, long millis) {

    /** Order by time, then by number, because such file systems record times only to the second. */
    static final Comparator<Found> NEWEST_FIRST =
        Comparator.comparingLong(Found::millis).thenComparingLong(Found::number).reversed();

    private long number() {
      String digits = folder.getName().replaceFirst("^chk-(?=[0-9]{1,18}$)", "");
      return digits.equals(folder.getName()) ? 0 : Long.parseLong(digits);
    }
  }

  private RemoteCheckpoints() {}

  /**
   * Returns all complete checkpoints below a place, the newest first; none if it cannot be listed.
   *
   * @param place a URI
   */
  static List<String> below(String place) {
    List<Found> found = new ArrayList<>();
    try {
      Path folder = new Path(place);
      add(found, folder.getFileSystem(), folder, DEPTH);
    } catch (IOException e) {
      // As on a disk, the caller reports that there is no checkpoint.
      return List.of();
    }
    return found.stream()
        .sorted(Found.NEWEST_FIRST)
        .map(checkpoint -> checkpoint.folder().toString())
        .toList();
  }

  private static void add(List<Found> found, FileSystem fileSystem, Path folder, int depth)
      throws IOException {
    for (FileStatus status : list(fileSystem, folder)) {
      Path path = status.getPath();
      if (!status.isDir() && path.getName().equals(METADATA)) {
        found.add(new Found(folder, status.getModificationTime()));
      } else if (status.isDir() && depth > 1 && !NO_CHECKPOINTS.contains(path.getName())) {
        add(found, fileSystem, path, depth - 1);
      }
    }
  }

  /** Lists a folder, which may be removed in the meantime. */
  private static FileStatus[] list(FileSystem fileSystem, Path folder) throws IOException {
    try {
      FileStatus[] listed = fileSystem.listStatus(folder);
      return listed == null ? new FileStatus[0] : listed;
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }
}
