package dev.braid.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.exchange.allreduce.mesh.MeshAlgorithm;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeshAtScaleTest {

  private static final long LARGE = 25_000_000;
  private static final long SMALL = 1_000;

  /**
   * Time of a large vector if each rank sends it twice: a link of 82 GB/s carries it in 1.22 ms,
   * and each rank sends it nearly twice.
   */
  private static final double BOTH_WAYS_NANOS = 2 * LARGE * Float.BYTES / 82.0;

  @Test
  void aRingOfNeighbours_isAsFastAsItsLinks() {
    double nanos = MeshAtScale.nanos(new Mesh(8, 8).whole(), MeshAlgorithm.ONE_RING, LARGE);
    assertThat(nanos / BOTH_WAYS_NANOS).isCloseTo(63.0 / 64, within(0.06));
  }

  /**
   * Rows of one colour and columns of the other share no link, and each carries half of the vector.
   */
  @Test
  void twoColours_areFasterThanOne() {
    Mesh mesh = new Mesh(8, 8);
    double one = MeshAtScale.nanos(mesh.whole(), MeshAlgorithm.ROWS_THEN_COLUMNS, LARGE);
    double two = MeshAtScale.nanos(mesh.whole(), MeshAlgorithm.TWO_COLOURS, LARGE);
    assertThat(two / one).isLessThan(0.75);
  }

  /** By §2.1, latency is O(N) on an N x N mesh, and O(N²) with one ring. */
  @Test
  void latencyGrowsWithTheSideOfTheMesh_andWithOneRingWithItsRanks() {
    Map<MeshAlgorithm, Double> growth = new EnumMap<>(MeshAlgorithm.class);
    for (MeshAlgorithm algorithm : MeshAlgorithm.values()) {
      double small = MeshAtScale.nanos(new Mesh(4, 4).whole(), algorithm, SMALL);
      double large = MeshAtScale.nanos(new Mesh(16, 16).whole(), algorithm, SMALL);
      growth.put(algorithm, large / small);
    }
    assertThat(growth.get(MeshAlgorithm.ONE_RING)).isGreaterThan(14);
    assertThat(growth.get(MeshAlgorithm.ROW_PAIRS)).isLessThan(8);
    assertThat(growth.get(MeshAlgorithm.ROWS_THEN_COLUMNS)).isLessThan(8);
  }

  /**
   * In the paper a hole adds a half (4.2 to 6.4 %) or a quarter (3.7 to 4.7 %) of the allreduce.
   */
  @Test
  void aHole_costsRowPairsAndTheRingLessThanAQuarterMore() {
    Mesh mesh = new Mesh(12, 16);
    HoledMesh holed = mesh.without(mesh.block(6, 6, 2, 4));
    for (MeshAlgorithm algorithm :
        new MeshAlgorithm[] {MeshAlgorithm.ROW_PAIRS, MeshAlgorithm.ONE_RING}) {
      double whole = MeshAtScale.nanos(mesh.whole(), algorithm, LARGE);
      double without = MeshAtScale.nanos(holed, algorithm, LARGE);
      assertThat(without / whole).as(algorithm.title()).isBetween(1.0, 1.25);
    }
  }
}
