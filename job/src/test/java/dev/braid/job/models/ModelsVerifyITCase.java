package dev.braid.job.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.job.BrokerExtension;
import dev.braid.job.CommandRun;
import dev.braid.job.TestVersions;
import dev.braid.job.console.ExitCodes;
import dev.braid.learner.OffsetRange;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Versions of models that were trained from topics of a real broker. */
class ModelsVerifyITCase {

  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  @TempDir private Path folder;

  private static Map<String, String> kafka() {
    return Map.of("bootstrap.servers", BROKER.process().address());
  }

  private Outcome train(String topic, String more) {
    BROKER.feed(topic, 2_000);
    String data =
        "--data={place: kafka:%s, features: [x1, x2, x3], label: label, classes: [0, 1], key: id, window: 20, until: latest%s}"
            .formatted(topic, more);
    CommandRun run =
        CommandRun.withErrorOutput(
            "train",
            data,
            "--model=logistic",
            "--workers=2",
            "--batch=10",
            "--web-port=0",
            "--kafka-brokers=" + BROKER.process().address(),
            "--out=" + folder.resolve("out"));
    assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
    return RunHistory.read(folder.resolve("out/history.jsonl")).outcome().orElseThrow();
  }

  private void publish(String registry, String lineage, int number, Outcome outcome, String digest)
      throws Exception {
    try (Lineage opened = Lineage.open(lineage, new StreamTopic("", kafka()))) {
      ModelVersion version =
          TestVersions.of(
              number,
              outcome.rounds(),
              digest,
              lineage,
              opened.size(),
              List.of(new OffsetRange(0, 0, 500)));
      TestVersions.publish(registry, kafka(), folder.resolve("out"), version);
    }
  }

  private static CommandRun models(String... words) {
    List<String> all = new ArrayList<>(List.of("models"));
    all.addAll(List.of(words));
    all.add("--kafka-brokers=" + BROKER.process().address());
    return CommandRun.withErrorOutput(all.toArray(String[]::new));
  }

  @Test
  void aVersionIsTrainedAgain_fromALineageInAFolder() throws Exception {
    Outcome outcome = train("verify-a", "");
    String registry = folder.resolve("models").toString();
    String lineage = folder.resolve("out/lineage").toString();
    publish(registry, lineage, 1, outcome, outcome.digest());
    CommandRun verified = models("verify", registry);
    assertThat(verified.exitCode()).as(verified.out() + verified.err()).isZero();
    assertThat(verified.out().lines()).hasSize(4);

    publish(registry, lineage, 2, outcome, "0".repeat(64));
    CommandRun other = models("verify", registry);
    assertThat(other.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(other.out()).contains("0".repeat(64));

    publish(registry, folder.resolve("nowhere").toString(), 3, outcome, outcome.digest());
    models("verify", registry).assertMistake("nowhere");
    assertThat(models("verify", registry, "--files-only").exitCode()).isZero();
  }

  /** Only the replay can compare digests that include running statistics. */
  @Test
  void aStandardizedVersionInATopicIsTrainedAgain_fromALineageInATopic() throws Exception {
    Outcome outcome = train("verify-b", ", standardize: true, lineage: kafka:verify-b.lineage");
    String registry = DataLocation.TOPIC + "verify-b.models";
    publish(registry, "kafka:verify-b.lineage", 1, outcome, outcome.digest());
    CommandRun verified = models("verify", registry, "v1");
    assertThat(verified.exitCode()).as(verified.out() + verified.err()).isZero();
    assertThat(verified.out()).contains("statistics").doesNotContain("DIFFERENT");
    assertThat(models("verify", registry, "--files-only").exitCode()).isZero();

    publish(registry, "kafka:verify-b.lineage", 2, outcome, "0".repeat(64));
    CommandRun other = models("verify", registry);
    assertThat(other.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(other.out()).contains(outcome.digest(), "0".repeat(64));

    assertThat(models("rollback", registry, "v1").exitCode()).isZero();
    assertThat(models("prune", registry, "--keep=1").exitCode()).isZero();
    assertThat(models("list", registry).out().lines()).hasSize(4);
    assertThat(models("show", registry).out()).contains("v1, in service, pinned");
  }
}
