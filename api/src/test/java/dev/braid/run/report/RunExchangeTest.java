package dev.braid.run.report;

import static dev.braid.run.report.MeshRuns.onMesh;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.topology.Mesh;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunExchangeTest {

  /** Without a full row, rows and columns form one ring; and of a line, one part continues. */
  @Test
  void whatIsLeftOfAMesh_isNamedForWhatItDoes() {
    RunExchange exchange = onMesh(new Mesh(2, 4), MeshAlgorithm.ROWS_THEN_COLUMNS);
    assertThat(exchange.without(List.of(2, 3, 6, 7), 8))
        .hasValue("the mesh adds up without workers 2, 3, 6 and 7: 1d");
    assertThat(exchange.without(List.of(7), 8).orElseThrow())
        .isEqualTo("the mesh adds up without worker 7: 2d, with forwarding by workers 4, 5 and 6");
    assertThat(exchange.without(List.of(), 8)).isEmpty();
    assertThat(exchange.without(List.of(0, 1, 2), 3)).isEmpty();
    assertThat(exchange.without(List.of(2), 3)).as("of fewer than asked for").isPresent();
    ExchangeOptions ring = ExchangeOptions.defaults(8);
    assertThat(new RunExchange(ExchangeType.RING, ring, 1000).without(List.of(1), 8)).isEmpty();
  }
}
