package dev.braid.job.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.TrainingGraph;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names in Flink's web UI, and uids by which checkpoints identify states. */
class OperatorNamesTest {

  @TempDir private Path folder;

  /** Names may change, but uids must not: older checkpoints could not be restored. */
  @Test
  void namesAreTheManuals_andUidsStay() throws Exception {
    Path events = Files.writeString(folder.resolve("events"), "cut 1 0 id a\n");

    Map<String, String> plain = uidsByName("--workers", "2");
    assertThat(plain)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "Source: Samples", "samples",
                "Worker", "workers",
                "Back to Worker", "",
                "Used samples", "usage-grouper",
                "Ledger", "ledger",
                "Report", "report"));
    Map<String, String> chaotic =
        uidsByName("--workers", "2", "--chaos-file", events.toString(), "--links", "100mbit");
    assertThat(chaotic)
        .containsEntry("Line out", "egress")
        .containsEntry("Line in", "ingress")
        .hasEntrySatisfying("Exchange loop", uid -> assertThat(uid).startsWith("chaos-links/file"))
        .hasEntrySatisfying(
            "Check chaos events", uid -> assertThat(uid).startsWith("chaos-desk/file"));

    String manual = Files.readString(Path.of("..", "docs", "reference", "metrics.md"));
    plain.keySet().forEach(name -> assertThat(manual).contains("| `" + name + "` |"));
    chaotic.keySet().stream()
        .filter(name -> !name.contains("Chaos") || name.startsWith("Check"))
        .forEach(name -> assertThat(manual).contains("| `" + name + "` |"));
  }

  private static Map<String, String> uidsByName(String... options) {
    Map<String, String> uids = new TreeMap<>();
    for (StreamNode node :
        TrainingGraph.of(StreamExecutionEnvironment.getExecutionEnvironment(), options)
            .getStreamNodes()) {
      String uid = node.getTransformationUID();
      uids.put(node.getOperatorName(), uid == null ? "" : uid);
    }
    return uids;
  }
}
