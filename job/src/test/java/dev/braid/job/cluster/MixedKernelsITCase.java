package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.cluster.ProcessCluster.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers on machines for which OpenBLAS takes other kernels; one JVM has but one kind. */
class MixedKernelsITCase {

  @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster();

  @Test
  void replicasAgree_andTheDifferenceIsToldAndRecorded() throws Exception {
    ProcessCluster cluster = CLUSTER.cluster();
    cluster.keepTaskManagers(1);
    String old = cluster.addTaskManager(Host.thisWith("OPENBLAS_CORETYPE", "Sandybridge"));
    cluster.awaitTaskManagers(2);
    try {
      ClusterRun run = CLUSTER.train("mixed", 2, "--workers", "4");
      assertThat(run.finish())
          .contains("workers' math kernels give different bits (")
          .contains("SANDYBRIDGE")
          .contains(ClusterRun.IDENTICAL);
      assertThat(run.out().resolve("history.jsonl")).content().contains("SANDYBRIDGE");
    } finally {
      cluster.killTaskManager(old);
    }
  }
}
