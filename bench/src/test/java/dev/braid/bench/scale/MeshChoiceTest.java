package dev.braid.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.cost.MeshTraffic;
import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.exchange.allreduce.mesh.MeshChooser;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Compares the chooser with the simulation, in which trainers exchange real gradients. */
class MeshChoiceTest {

  private static final long LATENCY_NANOS = 100_000;
  private static final double BYTES_PER_SECOND = 1.25e9;
  private static final MeshChooser CHOOSER =
      new MeshChooser(new MeshTraffic.Links(BYTES_PER_SECOND, LATENCY_NANOS * 1e-9));

  private static List<HoledMesh> meshes() {
    Mesh square = new Mesh(4, 4);
    Mesh wide = new Mesh(4, 8);
    Mesh large = new Mesh(8, 8);
    return List.of(
        new Mesh(2, 4).whole(),
        square.whole(),
        square.without(square.block(0, 2, 2, 2)),
        square.without(5),
        new Mesh(3, 5).without(7),
        wide.without(wide.block(0, 2, 2, 2)),
        large.without(0, 12, 18, 30, 33, 45, 51, 63),
        Mesh.of("2x2x2").whole(),
        Mesh.of("3x4x2").without(11),
        Mesh.of("torus:4x4").without(6));
  }

  @Test
  void whatItChoosesIsAsFastAsTheBest_orNearlySo() {
    List<String> far = new ArrayList<>();
    StringBuilder all = new StringBuilder();
    for (HoledMesh mesh : meshes()) {
      for (long parameters : new long[] {1_000, 100_000, 10_000_000}) {
        Map<MeshAlgorithm, Double> nanos = new TreeMap<>();
        Arrays.stream(MeshAlgorithm.values())
            .filter(algorithm -> algorithm.isFor(mesh.mesh()))
            .forEach(
                algorithm ->
                    nanos.put(
                        algorithm,
                        MeshAtScale.nanos(
                            mesh, algorithm, parameters, LATENCY_NANOS, BYTES_PER_SECOND)));
        MeshAlgorithm chosen = CHOOSER.choose(mesh, (int) parameters).algorithm();
        double best = nanos.values().stream().mapToDouble(it -> it).min().orElseThrow();
        double slower = nanos.get(chosen) / best - 1;
        String line =
            "%s without %s, %d: %s, %.1f %% more than the best of %s%n"
                .formatted(mesh.mesh(), mesh.failed(), parameters, chosen, 100 * slower, nanos);
        all.append(line);
        if (slower > 0.05) {
          far.add(line);
        }
      }
    }
    assertThat(far).as(all.toString()).isEmpty();
  }
}
