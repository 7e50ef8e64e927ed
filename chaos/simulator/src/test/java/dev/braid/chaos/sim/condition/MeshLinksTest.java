package dev.braid.chaos.sim.condition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeshLinksTest {

  private static final double BYTE_PER_NANO = 1e9;

  @Test
  void aLongWayCostsALatencyForEachLink_andTheMessageOnce() {
    MeshLinks links = links(new Mesh(4, 4).whole());
    assertThat(links.arrivalNanos(0, 1, 1_000, 0)).isEqualTo(1_010);
    assertThat(links.arrivalNanos(12, 15, 1_000, 0)).isEqualTo(1_030);
  }

  @Test
  void messagesThatShareALinkOfTheirWays_waitForEachOther() {
    MeshLinks links = links(new Mesh(1, 4).whole());
    assertThat(links.arrivalNanos(0, 3, 1_000, 0)).isEqualTo(1_030);
    // The link from 1 to 2 is busy until 1,010.
    assertThat(links.arrivalNanos(1, 2, 1_000, 0)).isEqualTo(2_020);
  }

  @Test
  void theOtherDirection_isFree() {
    MeshLinks links = links(new Mesh(1, 4).whole());
    links.arrivalNanos(0, 3, 1_000, 0);
    assertThat(links.arrivalNanos(3, 0, 1_000, 0)).isEqualTo(1_030);
  }

  @Test
  void aroundAHole_moreLinksAreTaken() {
    HoledMesh holed = new Mesh(2, 3).without(1);
    MeshLinks links = links(holed);
    // Ranks are counted without the failed one: 0 and 1 are on both sides of it.
    assertThat(links.arrivalNanos(0, 1, 1_000, 0)).isEqualTo(1_040);
  }

  private static MeshLinks links(HoledMesh mesh) {
    List<Integer> places = Arrays.stream(mesh.live()).boxed().toList();
    return new MeshLinks(mesh, places, 10, BYTE_PER_NANO);
  }
}
