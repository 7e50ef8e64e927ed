package dev.braid.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MeshRingsTest {

  @Property(tries = 200)
  void aFullMeshOfAnEvenNumber_hasAHamiltonianCircuit(
      @ForAll @IntRange(min = 2, max = 10) int rows,
      @ForAll @IntRange(min = 2, max = 10) int columns) {
    Mesh mesh = new Mesh(rows, columns);
    int[] circuit = circuit(mesh.whole());
    assertThatItIsACircuit(mesh, circuit);
    // An odd number of ranks has no circuit: each step leads to the other colour of a chessboard.
    assertThat(circuit).hasSize(mesh.ranks() / 2 * 2);
  }

  /** §2.2, Figure 8: the failed block has an even size, and starts at an even row and column. */
  @Property(tries = 500)
  void aMeshWithABlockFailed_hasAHamiltonianCircuit(@ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Mesh mesh = new Mesh(2 * random.nextInt(2, 6), 2 * random.nextInt(2, 6));
    int row = 2 * random.nextInt(mesh.rows() / 2);
    int column = 2 * random.nextInt(mesh.columns() / 2);
    int height = 2 * random.nextInt(1, (mesh.rows() - row) / 2 + 1);
    int width = 2 * random.nextInt(1, (mesh.columns() - column) / 2 + 1);
    if (height == mesh.rows() || width == mesh.columns()) {
      return;
    }
    HoledMesh holed = mesh.without(mesh.block(row, column, height, width));
    int[] circuit = circuit(holed);
    assertThatItIsACircuit(mesh, circuit);
    assertThat(circuit).containsExactlyInAnyOrder(holed.live());
  }

  @Property(tries = 1000)
  void withAnyHoles_eachRankIsInOneRingOrLeftOver(@ForAll long seed) {
    HoledMesh holed = Holes.connected(seed, 8);
    for (MeshRings rings :
        List.of(
            MeshRings.circuit(holed),
            MeshRings.lines(holed, 1),
            MeshRings.lines(holed, 0),
            MeshRings.rowPairs(holed))) {
      List<Integer> all = new ArrayList<>();
      rings.full().forEach(ring -> Arrays.stream(ring).forEach(all::add));
      rings.smaller().forEach(ring -> Arrays.stream(ring).forEach(all::add));
      Arrays.stream(leftOver(rings, holed)).forEach(all::add);
      assertThat(all)
          .containsExactlyInAnyOrderElementsOf(Arrays.stream(holed.live()).boxed().toList());
      assertThat(rings.full()).extracting(ring -> ring.length).containsOnly(length(rings));
    }
  }

  /** Returns the ranks that are left and in none of the rings, ascending. */
  private static int[] leftOver(MeshRings rings, HoledMesh holed) {
    return Arrays.stream(holed.live())
        .filter(rank -> all(rings).stream().flatMapToInt(Arrays::stream).noneMatch(r -> r == rank))
        .toArray();
  }

  private static int length(MeshRings rings) {
    return rings.full().get(0).length;
  }

  /** Figure 6: no link is in two circuits, and each link leads to a neighbour. */
  @Property(tries = 300)
  void pairsOfRows_areCircuitsThatShareNoLink(@ForAll long seed) {
    HoledMesh holed = Holes.connected(seed, 8);
    Mesh mesh = holed.mesh();
    if (mesh.rows() % 2 == 1) {
      return;
    }
    MeshRings rings = MeshRings.rowPairs(holed);
    if (rings.full().size() + rings.smaller().size() == 1) {
      return;
    }
    List<String> links = new ArrayList<>();
    for (int[] ring : all(rings)) {
      assertThatItIsACircuit(mesh, ring);
      for (int i = 0; i < ring.length; i++) {
        links.add(ring[i] + " to " + ring[(i + 1) % ring.length]);
      }
    }
    assertThat(links).doesNotHaveDuplicates();
  }

  private static List<int[]> all(MeshRings rings) {
    List<int[]> all = new ArrayList<>(rings.full());
    all.addAll(rings.smaller());
    return all;
  }

  @Example
  void figure6_twoRowsMakeARing() {
    MeshRings rings = MeshRings.rowPairs(new Mesh(4, 3).whole());
    assertThat(rings.full())
        .containsExactly(new int[] {0, 1, 2, 5, 4, 3}, new int[] {6, 7, 8, 11, 10, 9});
    assertThat(rings.smaller()).isEmpty();
  }

  /** Two 2x2 rings are next to the hole, and a full ring is below it. */
  @Example
  void figure9_aHoleLeavesSmallerRings() {
    Mesh mesh = new Mesh(4, 6);
    HoledMesh holed = mesh.without(mesh.block(0, 2, 2, 2));
    MeshRings rings = MeshRings.rowPairs(holed);
    assertThat(rings.full()).hasSize(1);
    assertThat(rings.full().get(0)[0]).isEqualTo(12);
    assertThat(rings.smaller()).containsExactly(new int[] {0, 1, 7, 6}, new int[] {4, 5, 11, 10});
    assertThat(leftOver(rings, holed)).isEmpty();
  }

  @Example
  void aSingleFailedRank_leavesItsPartnerOver() {
    HoledMesh holed = new Mesh(4, 4).without(5);
    MeshRings rings = MeshRings.rowPairs(holed);
    assertThat(leftOver(rings, holed)).containsExactly(1);
    assertThat(rings.smaller()).containsExactly(new int[] {0, 4}, new int[] {2, 3, 7, 6});
    assertThat(leftOver(MeshRings.lines(holed, 1), holed)).containsExactly(4);
    assertThat(leftOver(MeshRings.circuit(holed), holed)).containsExactly(0, 1, 4);
  }

  @Example
  void aSingleRow_isOneRingWithAWayBack() {
    MeshRings rings = MeshRings.circuit(new Mesh(1, 5).whole());
    assertThat(rings.full()).containsExactly(new int[] {0, 1, 2, 3, 4});
    assertThat(MeshRings.circuit(new Mesh(2, 1).whole()).full()).containsExactly(new int[] {0, 1});
  }

  @Property(tries = 300)
  void inAnyDimensions_linesAreRings_andWhatHolesLeaveOfThem(@ForAll long seed) {
    HoledMesh holed = Holes.inAnyDimensions(seed);
    Mesh mesh = holed.mesh();
    for (int dimension = 0; dimension < mesh.dimensions(); dimension++) {
      MeshRings rings = MeshRings.lines(holed, dimension);
      List<Integer> all = new ArrayList<>(Arrays.stream(leftOver(rings, holed)).boxed().toList());
      for (int[] ring : all(rings)) {
        Arrays.stream(ring).forEach(all::add);
      }
      assertThat(all)
          .containsExactlyInAnyOrderElementsOf(Arrays.stream(holed.live()).boxed().toList());
      if (rings.full().get(0).length == mesh.size(dimension) && !rings.smaller().isEmpty()) {
        all(rings).forEach(ring -> MeshTest.assertThatEachLeadsToANeighbour(mesh, ring));
      }
    }
  }

  /** On a torus a run of ranks continues over the end of its line. */
  @Example
  void onATorus_aHoleLeavesOneRunOfALine() {
    Mesh torus = Mesh.of("torus:2x5");
    HoledMesh holed = torus.without(2);
    assertThat(MeshRings.lines(holed, 1).smaller()).containsExactly(new int[] {3, 4, 0, 1});
    HoledMesh flat = new Mesh(2, 5).without(2);
    assertThat(MeshRings.lines(flat, 1).smaller())
        .containsExactly(new int[] {0, 1}, new int[] {3, 4});
  }

  @Property(tries = 200)
  void aTorus_hasAHamiltonianCircuit_ofAnOddNumberToo(
      @ForAll @IntRange(min = 2, max = 9) int rows,
      @ForAll @IntRange(min = 2, max = 9) int columns) {
    Mesh torus = new Mesh(List.of(rows, columns), true);
    int[] circuit = circuit(torus.whole());
    assertThatItIsACircuit(torus, circuit);
    assertThat(circuit).hasSize(torus.ranks());
  }

  @Example
  void inThreeDimensions_aCircuitHasAllRanks() {
    for (String form : new String[] {"2x2x2", "3x4x2", "2x3x4x1", "torus:4x4x4", "2x2x2x2x2"}) {
      Mesh mesh = Mesh.of(form);
      int[] circuit = circuit(mesh.whole());
      assertThatItIsACircuit(mesh, circuit);
      assertThat(circuit).as(form).hasSize(mesh.ranks());
    }
  }

  private static int[] circuit(HoledMesh holed) {
    return MeshRings.circuit(holed).full().get(0);
  }

  private static void assertThatItIsACircuit(Mesh mesh, int[] ring) {
    assertThat(ring).doesNotHaveDuplicates();
    MeshTest.assertThatEachLeadsToANeighbour(mesh, ring);
    assertThat(mesh.areNeighbours(ring[ring.length - 1], ring[0])).isTrue();
  }
}
