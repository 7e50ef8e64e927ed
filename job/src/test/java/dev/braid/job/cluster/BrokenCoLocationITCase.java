package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.SmallMnist;
import dev.braid.job.TrainingGraph;
import dev.braid.loop.Loop;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A worker and its links in different JVMs, which one embedded Flink cannot have: the loop's
 * operators have their own slots, on different TaskManagers.
 */
class BrokenCoLocationITCase {

  private static final int TIMEOUT_SECONDS = 300;

  @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster(2);

  @Test
  void failsTheJobForGoodAndSaysWhy() throws Exception {
    // The cluster restarts a failing job up to a thousand times; it must not restart this one.
    ProcessCluster cluster = CLUSTER.cluster();
    String out = CLUSTER.folder().resolve("apart").toString();
    StreamExecutionEnvironment env = cluster.environment();
    StreamGraph graph = TrainingGraph.of(env, SmallMnist.option(), "--workers", "1", "--out", out);
    for (StreamNode node : graph.getStreamNodes()) {
      node.setCoLocationGroup(null);
      if (node.getOperatorName().equals(Loop.FEEDBACK)) {
        node.setSlotSharingGroup("apart");
      }
    }

    JobClient job = env.executeAsync(graph);

    assertThatThrownBy(
            () -> job.getJobExecutionResult().get(TIMEOUT_SECONDS, TimeUnit.SECONDS),
            "logs: %s",
            cluster.logs())
        .isInstanceOf(ExecutionException.class)
        .hasStackTraceContaining("worker 0 runs on ")
        .hasStackTraceContaining("the two must share a slot");
  }
}
