package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Prometheus finds every metric named by a document, the dashboard or an alert at the processes of
 * a cluster that trains.
 */
@Tag("long")
class ExportedMetricsITCase {

  /** More epochs than there is time for. */
  private static final int EPOCHS = 100_000;

  private static final String EVENT = "delay level 1 by 1ms at-round 5 id d";

  @RegisterExtension static final SessionCluster CLUSTER = new SessionCluster(2);

  /** The run has chaos events and a shaped link, which have their own metrics. */
  @Test
  void allThatAreNamedAreExported() throws Exception {
    Path events = Files.writeString(CLUSTER.folder().resolve("events.txt"), EVENT + "\n");
    ClusterRun run =
        CLUSTER.train(
            "metrics",
            EPOCHS,
            "--workers=2",
            "--exchange=tree",
            "--links=1gbit/2ms",
            "--chaos-file=" + events);
    Set<String> missing = new TreeSet<>(NamedMetrics.ofDataSets());
    assertThat(missing).hasSizeGreaterThan(30);
    try {
      CLUSTER
          .cluster()
          .await(
              "all metrics",
              () -> {
                CLUSTER
                    .exported()
                    .forEach(text -> missing.retainAll(NamedMetrics.missing(missing, text)));
                return missing.isEmpty() || run.hasEnded();
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("not exported: " + missing + "\n" + run.output(), e);
    }
    assertThat(missing).as(run::output).isEmpty();
    run.abandon();
  }
}
