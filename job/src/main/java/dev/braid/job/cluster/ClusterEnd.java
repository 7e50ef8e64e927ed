package dev.braid.job.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** End of a cluster's processes: terminates them, and kills those that keep running. */
final class ClusterEnd {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private final ClusterFolder folder;
  private final List<String> ended = new ArrayList<>();
  private final List<String> left = new ArrayList<>();

  private ClusterEnd(ClusterFolder folder) {
    this.folder = folder;
  }

  /**
   * Terminates processes, kills those that still run after 10 s, and deletes their records. With
   * the last process of a cluster, it also deletes the temporary files.
   */
  static ClusterEnd endAll(ClusterFolder folder, List<ClusterProcess> processes)
      throws IOException {
    ClusterEnd end = new ClusterEnd(folder);
    // ZooKeeper ends last, because a JobManager needs it to announce its own end.
    end.end(processes.stream().filter(process -> !isZooKeeper(process)).toList());
    end.end(processes.stream().filter(ClusterEnd::isZooKeeper).toList());
    if (folder.processes().stream().allMatch(ClusterProcess::hasEnded)) {
      folder.removeTemporary();
    }
    return end;
  }

  private static boolean isZooKeeper(ClusterProcess process) {
    return process.name().equals(ClusterMember.ZOOKEEPER);
  }

  private void end(List<ClusterProcess> processes) throws IOException {
    List<ClusterProcess> living = processes.stream().filter(it -> !it.hasEnded()).toList();
    List<ClusterProcess> asked = living.stream().filter(ClusterProcess::end).toList();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (ClusterProcess process : asked) {
      if (!process.awaitEnd(deadline) && process.kill()) {
        // A killed process ends at once, except one that waits for a disk.
        process.awaitEnd(System.nanoTime() + PATIENCE.toNanos());
      }
    }
    // A process that is ending has no command line for a moment, so it receives no signal.
    long moment = System.nanoTime() + MOMENT.toNanos();
    living.forEach(process -> process.awaitEnd(moment));
    for (ClusterProcess process : living) {
      if (process.hasEnded()) {
        ended.add(process.shown());
      } else {
        left.add(process.shown() + ": " + process.doubt());
      }
    }
    folder.forget(processes.stream().filter(ClusterProcess::hasEnded).toList());
  }

  /** Returns the processes that ran and have ended. */
  List<String> ended() {
    return ended;
  }

  /** Returns the processes that could not be ended, with reasons. */
  List<String> left() {
    return left;
  }
}
