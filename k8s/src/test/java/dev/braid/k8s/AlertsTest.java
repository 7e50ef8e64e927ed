package dev.braid.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Conditions under which each alert fires or stays silent, by Prometheus' own evaluation of its
 * expression.
 */
class AlertsTest {

  private static final Path TESTS = Manifests.FOLDER.resolve("src/test/promtool/alerts.yml");

  @TempDir private Path folder;

  /** Requires promtool, which is in Debian's package prometheus. */
  @Test
  void alertsFireWhenTheyShouldAndElseDoNot() throws Exception {
    assumeTrue(promtool("--version") == 0, "no promtool is here");
    ObjectNode rules = Yaml.MAPPER.createObjectNode();
    ArrayNode groups = rules.putArray("groups");
    alerts().forEach(groups::addAll);
    Path file = folder.resolve("rules.yml");
    Yaml.MAPPER.writeValue(file.toFile(), rules);
    assertThat(promtool("check", "rules", file.toString())).as(this::said).isZero();
    // The tests check when alerts fire, without their texts.
    rules.findParents("annotations").forEach(rule -> ((ObjectNode) rule).remove("annotations"));
    Yaml.MAPPER.writeValue(file.toFile(), rules);
    Path tests = Files.copy(TESTS, folder.resolve("alerts.yml"));
    assertThat(promtool("test", "rules", tests.toString())).as(this::said).isZero();
  }

  @Test
  void eachAlertIsTestedBothWays() {
    Set<String> firing = new TreeSet<>();
    Set<String> silent = new TreeSet<>();
    for (JsonNode test : Yaml.object(TESTS).findValues("alert_rule_test")) {
      for (JsonNode alert : test) {
        (alert.path("exp_alerts").isEmpty() ? silent : firing)
            .add(alert.path("alertname").asText());
      }
    }
    Set<String> all = new TreeSet<>();
    alerts().forEach(group -> group.findValuesAsText("alert").forEach(all::add));
    assertThat(firing).isEqualTo(all);
    assertThat(silent).isEqualTo(all);
  }

  /** Returns the groups of all deployed rules. */
  private static List<ArrayNode> alerts() {
    return Kustomization.build(Manifests.ALL).stream()
        .filter(object -> object.path("kind").asText().equals("PrometheusRule"))
        .map(object -> (ArrayNode) object.at("/spec/groups"))
        .toList();
  }

  private int promtool(String... arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(folder.resolve("said").toFile())
          .start()
          .waitFor();
    } catch (IOException e) {
      // The program is not installed.
      return -1;
    }
  }

  private String said() {
    try {
      return Files.readString(folder.resolve("said"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
