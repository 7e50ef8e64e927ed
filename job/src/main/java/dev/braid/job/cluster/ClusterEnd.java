package dev.braid.job.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ends processes of a cluster: asks them to, and kills those that do not. */
final class ClusterEnd {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ClusterFolder folder;
  private final List<String> ended = new ArrayList<>();
  private final List<String> left = new ArrayList<>();

  private ClusterEnd(ClusterFolder folder) {
    this.folder = folder;
  }

  /** Ends these and forgets them; with the last of a cluster goes what is temporary. */
  static ClusterEnd of(ClusterFolder folder, List<ClusterProcess> processes) throws IOException {
    ClusterEnd end = new ClusterEnd(folder);
    // Without ZooKeeper, a JobManager cannot say that it ends.
    end.end(processes.stream().filter(process -> !isZooKeeper(process)).toList());
    end.end(processes.stream().filter(ClusterEnd::isZooKeeper).toList());
    if (folder.processes().stream().noneMatch(ClusterProcess::runs)) {
      folder.removeTemporary();
    }
    return end;
  }

  private static boolean isZooKeeper(ClusterProcess process) {
    return process.name().equals(ClusterMember.ZOOKEEPER);
  }

  private void end(List<ClusterProcess> processes) throws IOException {
    List<ClusterProcess> running = processes.stream().filter(ClusterProcess::runs).toList();
    running.forEach(ClusterProcess::end);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (ClusterProcess process : running) {
      if (!process.awaitEnd(deadline)) {
        process.kill();
      }
      // What is killed is gone in no time, but for a process that hangs in its disk.
      boolean isGone = process.awaitEnd(System.nanoTime() + PATIENCE.toNanos());
      (isGone ? ended : left).add(process.shown());
    }
    for (ClusterProcess process : processes) {
      if (!left.contains(process.shown())) {
        Files.deleteIfExists(folder.pidFile(process.name()));
      }
    }
  }

  /** Those that ran, and do not any more. */
  List<String> ended() {
    return ended;
  }

  /** Those that could not be ended. */
  List<String> left() {
    return left;
  }
}
