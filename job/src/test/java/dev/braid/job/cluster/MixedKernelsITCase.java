package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.cluster.ProcessCluster.Host;
import dev.braid.job.console.ExitCodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Workers on machines for which OpenBLAS uses different kernels; a single JVM has only one kind.
 */
@Tag("long")
class MixedKernelsITCase {

  private static final int TIMEOUT_SECONDS = 300;

  @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster(2);

  @Test
  void replicasAgree_andTheDifferenceIsToldAndRecorded_orRefusedForGood() throws Exception {
    ProcessCluster cluster = CLUSTER.cluster();
    cluster.keepTaskManagers(1);
    String old = addOtherKind(cluster);
    cluster.awaitTaskManagers(2);
    try {
      ClusterRun run = CLUSTER.train("mixed", 1, "--workers", "4");
      assertThat(run.finish())
          .contains("the math kernels of the workers give different bits (")
          .contains("SANDYBRIDGE")
          .contains(ClusterRun.IDENTICAL);
      assertThat(run.out().resolve("history.jsonl")).content().contains("SANDYBRIDGE");

      ClusterRun refused =
          CLUSTER.train("refused", 100, "--workers", "4", "--require", "same-bits");
      assertRefused(refused, "the math kernels of the workers give different bits (");
    } finally {
      cluster.killTaskManager(old);
    }
  }

  @Test
  void aCheckpointOfOtherKernels_isToldAndRecorded_orRefusedForGood() throws Exception {
    ProcessCluster cluster = CLUSTER.cluster();
    List<String> options = new ArrayList<>(List.of("--workers", "4", "--require", "same-bits"));
    options.addAll(ClusterRun.checkpoints(CLUSTER.folder().resolve("kernels"), 200));
    ClusterRun first = CLUSTER.train("first", 1000, options.toArray(String[]::new));
    cluster.await("a checkpoint", () -> first.completedCheckpoints() >= 1 || first.hasEnded());
    cluster.cancel(first.job().orElseThrow());
    assertThat(cluster.awaitEnd(first.client(), TIMEOUT_SECONDS)).isTrue();
    String checkpoint = ClusterRun.group(first.output(), "--restore (/\\S+/chk-[0-9]+)");

    cluster.keepTaskManagers(0);
    List<String> others = List.of(addOtherKind(cluster), addOtherKind(cluster));
    cluster.awaitTaskManagers(2);
    try {
      ClusterRun refused =
          CLUSTER.train(
              "other", 100, "--workers", "4", "--restore", checkpoint, "--require", "same-bits");
      assertRefused(refused, "the checkpoint was made with math kernels that give other bits (");

      ClusterRun told = CLUSTER.train("told", 100, "--workers", "4", "--restore", checkpoint);
      String last = "the run continues, but not with the bits";
      cluster.await("the line", () -> told.output().contains(last) || told.hasEnded());
      assertThat(told.output())
          .contains("the checkpoint was made with math kernels that give other bits (workers [0,")
          .contains(") than those here (workers [0,")
          .contains("SANDYBRIDGE", last);
      cluster.await("the history", () -> told.history().toString().contains("SANDYBRIDGE"));
      assertThat(told.out().resolve("history.jsonl")).content().contains("SANDYBRIDGE", "true");
      told.abandon();
    } finally {
      others.forEach(cluster::killTaskManager);
    }
  }

  /** Adds a TaskManager on which OpenBLAS uses other kernels than Braid chooses. */
  private static String addOtherKind(ProcessCluster cluster) throws Exception {
    return cluster.addTaskManager(Host.thisWith("OPENBLAS_CORETYPE", "Sandybridge"));
  }

  /** Asserts that a run fails at once, without a restart. */
  private static void assertRefused(ClusterRun run, String why) throws Exception {
    assertThat(CLUSTER.cluster().awaitEnd(run.client(), TIMEOUT_SECONDS)).isTrue();
    assertThat(run.output())
        .contains("braid: the run failed: --require same-bits: " + why)
        .contains("workers [0,", "SANDYBRIDGE", "--math", "OPENBLAS_CORETYPE")
        .doesNotContain("restart 1");
    assertThat(run.client().exitValue()).isEqualTo(ExitCodes.FAILED);
    assertThat(run.out().resolve("history.jsonl")).content().contains("SANDYBRIDGE");
    assertThat(run.out().resolve("model.zip")).doesNotExist();
  }
}
