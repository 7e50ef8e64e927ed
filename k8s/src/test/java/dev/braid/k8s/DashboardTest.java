package dev.braid.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The dashboard's structure is valid for Grafana. A test with running jobs checks that its metrics
 * exist.
 */
class DashboardTest {

  /** Number of columns of Grafana's grid. */
  private static final int COLUMNS = 24;

  @Test
  void panelsHaveTheirPlacesAndQueries() throws IOException {
    JsonNode dashboard = dashboard();
    assertThat(dashboard.path("title").asText()).isEqualTo("Braid");
    Set<Integer> ids = new HashSet<>();
    Set<String> cells = new HashSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).as("%s", panel.path("id")).isTrue();
      JsonNode place = panel.path("gridPos");
      int right = place.path("x").asInt() + place.path("w").asInt();
      assertThat(right).isLessThanOrEqualTo(COLUMNS);
      for (int x = place.path("x").asInt(); x < right; x++) {
        for (int y = 0; y < place.path("h").asInt(); y++) {
          String cell = x + " " + (place.path("y").asInt() + y);
          assertThat(cells.add(cell)).as("%s at %s", panel.path("title"), cell).isTrue();
        }
      }
      if (!panel.path("type").asText().equals("row")) {
        assertThat(panel.path("description").asText()).as("%s", panel.path("title")).isNotEmpty();
        assertThat(panel.path("targets")).isNotEmpty();
        for (JsonNode target : panel.path("targets")) {
          assertThat(target.path("expr").asText()).contains("namespace=\"$namespace\"");
        }
      }
    }
  }

  /** Each variable of a query is declared at the top of the page. */
  @Test
  void variablesAreDeclared() throws IOException {
    List<String> declared = new ArrayList<>();
    dashboard()
        .at("/templating/list")
        .forEach(variable -> declared.add(variable.path("name").asText()));
    assertThat(declared).containsExactlyInAnyOrder("datasource", "namespace", "job_name");
  }

  private static JsonNode dashboard() throws IOException {
    ObjectNode map =
        Manifests.only(Manifests.FOLDER.resolve("overlays/small"), "v1 ConfigMap braid-dashboard");
    assertThat(map.at("/metadata/labels/grafana_dashboard").asText()).isEqualTo("1");
    return new JsonMapper().readTree(map.at("/data/braid.json").asText());
  }
}
