package dev.braid.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MeshTest {

  @Property
  void linksAreBothWays_andLeadOneStep(
      @ForAll @IntRange(min = 1, max = 12) int rows,
      @ForAll @IntRange(min = 1, max = 12) int columns) {
    Mesh mesh = new Mesh(rows, columns);
    int links = 0;
    for (int rank = 0; rank < mesh.ranks(); rank++) {
      assertThat(mesh.rank(mesh.row(rank), mesh.column(rank))).isEqualTo(rank);
      int[] neighbours = mesh.neighbours(rank);
      assertThat(neighbours).isSorted().doesNotHaveDuplicates();
      for (int other : neighbours) {
        assertThat(mesh.neighbours(other)).contains(rank);
        assertThat(mesh.areNeighbours(rank, other)).isTrue();
      }
      links += neighbours.length;
    }
    assertThat(links).isEqualTo(2 * (rows * (columns - 1) + columns * (rows - 1)));
  }

  @Property
  void routesAreShortest_andGoAlongTheRowFirst(
      @ForAll @IntRange(min = 1, max = 9) int rows,
      @ForAll @IntRange(min = 1, max = 9) int columns,
      @ForAll @IntRange(min = 0, max = 80) int from,
      @ForAll @IntRange(min = 0, max = 80) int to) {
    Mesh mesh = new Mesh(rows, columns);
    int[] route = mesh.route(from % mesh.ranks(), to % mesh.ranks());
    assertThat(route).hasSize(mesh.distance(route[0], to % mesh.ranks()) + 1);
    assertThat(route).startsWith(from % mesh.ranks()).endsWith(to % mesh.ranks());
    assertThatEachLeadsToANeighbour(mesh, route);
    int corner = mesh.rank(mesh.row(route[0]), mesh.column(to % mesh.ranks()));
    assertThat(route).contains(corner);
  }

  /** Figure 2. */
  @Example
  void routesGoAroundAFailedBlock() {
    HoledMesh holed = new Mesh(4, 6).without(new Mesh(4, 6).block(1, 2, 2, 2));
    assertThat(holed.routes().route(7, 10).orElseThrow()).hasSize(6).startsWith(7).endsWith(10);
    assertThat(holed.routes().route(0, 5).orElseThrow()).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(holed.routes().route(7, 22).orElseThrow())
        .as("column first")
        .containsExactly(7, 13, 19, 20, 21, 22);
  }

  @Property(tries = 500)
  void routesAroundHoles_passLiveRanksOnly_andNoneTwice(@ForAll long seed) {
    HoledMesh holed = Holes.connected(seed, 8);
    SplittableRandom random = new SplittableRandom(seed);
    int[] live = holed.live();
    int from = live[random.nextInt(live.length)];
    int to = live[random.nextInt(live.length)];
    int[] route = holed.routes().route(from, to).orElseThrow();
    assertThat(route).startsWith(from).endsWith(to).doesNotHaveDuplicates();
    assertThat(Arrays.stream(route).allMatch(holed::isLive)).isTrue();
    assertThatEachLeadsToANeighbour(holed.mesh(), route);
  }

  /** Routes from an object that is kept equal routes from a new object for each. */
  @Property(tries = 50)
  void routesAreTheSameHoweverManyWereFoundBefore(@ForAll long seed) {
    HoledMesh holed = Holes.inAnyDimensions(seed);
    HoledRoutes kept = holed.routes();
    for (int from : holed.live()) {
      for (int to : holed.live()) {
        assertThat(kept.route(from, to).orElseThrow())
            .isEqualTo(holed.routes().route(from, to).orElseThrow());
        assertThat(kept.reaches(from, to)).isTrue();
      }
    }
  }

  @Example
  void partsWithoutAWayToEachOtherHaveNoRoute() {
    HoledRoutes routes = new Mesh(3, 3).without(1, 4, 7).routes();
    assertThat(routes.route(0, 6))
        .hasValueSatisfying(it -> assertThat(it).containsExactly(0, 3, 6));
    assertThat(routes.route(0, 2)).isEmpty();
    assertThat(routes.reaches(0, 2)).isFalse();
    assertThat(routes.reaches(0, 1)).as("one that failed").isFalse();
  }

  @Example
  void theMostSquareMesh_hasAsManyRanks() {
    assertThat(Mesh.mostSquare(1)).isEqualTo(new Mesh(1, 1));
    assertThat(Mesh.mostSquare(7)).isEqualTo(new Mesh(1, 7));
    assertThat(Mesh.mostSquare(8)).isEqualTo(new Mesh(2, 4));
    assertThat(Mesh.mostSquare(16)).isEqualTo(new Mesh(4, 4));
    assertThat(Mesh.mostSquare(512)).isEqualTo(new Mesh(16, 32));
  }

  @Example
  void isReadAsItIsTyped() {
    assertThat(Mesh.of("4x8")).isEqualTo(new Mesh(4, 8)).hasToString("4x8");
    assertThat(Mesh.of("2x3x4").sizes()).containsExactly(2, 3, 4);
    assertThat(Mesh.of("torus:4x4"))
        .isEqualTo(new Mesh(List.of(4, 4), true))
        .hasToString("torus:4x4");
    for (String text :
        new String[] {
          "", "4", "4x", "x8", "4x8x", " 4x8", "4X8", "-1x8", "torus", "torus:", "torus:4"
        }) {
      assertThatThrownBy(() -> Mesh.of(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("must be rows x columns, such as 4x8, or more dimensions");
    }
    for (String text : new String[] {"0x5", "5x0", "2x0x2", "torus:0x1", "00x1"}) {
      assertThatThrownBy(() -> Mesh.of(text)).hasMessage("must be at least 1 in each dimension");
    }
    assertThatThrownBy(() -> Mesh.of("99999x99999x99999x99999x99999"))
        .hasMessage("must be a smaller mesh");
    assertThatThrownBy(() -> Mesh.of("1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"))
        .hasMessage("must be a smaller mesh");
    assertThatThrownBy(() -> Mesh.of("99999x99999")).hasMessage("must be a smaller mesh");
    assertThatThrownBy(() -> Mesh.of("4294967296x4294967296")).hasMessage("must be a smaller mesh");
  }

  @Example
  void aBlockIsInTheMesh() {
    Mesh mesh = new Mesh(4, 4);
    assertThat(mesh.block(0, 2, 2, 2)).containsExactly(2, 3, 6, 7);
    assertThatThrownBy(() -> mesh.block(3, 0, 2, 2))
        .hasMessage("block 3,0+2x2 is not in a mesh of 4x4");
  }

  @Example
  void partsWithoutAWayToEachOther_areTold() {
    HoledMesh parted = new Mesh(1, 3).without(1);
    assertThat(parted.isConnected()).isFalse();
    assertThat(parted.routes().route(0, 2)).isEmpty();
    assertThat(new Mesh(2, 3).without(1).isConnected()).isTrue();
    assertThat(new Mesh(2, 3).without(1, 3).parts())
        .containsExactly(new int[] {0}, new int[] {2, 4, 5});
    assertThatThrownBy(() -> new Mesh(1, 2).without(0, 1))
        .hasMessageContaining("all ranks of the mesh of 1x2 failed");
    assertThatThrownBy(() -> new Mesh(1, 2).without(2))
        .hasMessage("failed rank 2: must be a rank of the mesh of 1x2");
  }

  @Property(tries = 300)
  void inAnyDimensions_linksAreBothWays_andRoutesShortest(@ForAll long seed) {
    HoledMesh holed = Holes.inAnyDimensions(seed);
    Mesh mesh = holed.mesh();
    for (int rank = 0; rank < mesh.ranks(); rank++) {
      int one = rank;
      List<Integer> places =
          IntStream.range(0, mesh.dimensions()).map(i -> mesh.place(one, i)).boxed().toList();
      assertThat(mesh.rankAt(places)).isEqualTo(rank);
      assertThat(mesh.neighbours(rank)).isSorted().doesNotHaveDuplicates();
      for (int other : mesh.neighbours(rank)) {
        assertThat(mesh.neighbours(other)).contains(rank);
        assertThat(mesh.areNeighbours(rank, other)).isTrue();
      }
    }
    int[] live = holed.live();
    int from = live[0];
    int to = live[live.length / 2];
    assertThat(mesh.route(from, to)).hasSize(mesh.distance(from, to) + 1);
    int[] route = holed.routes().route(from, to).orElseThrow();
    assertThat(route).startsWith(from).endsWith(to).doesNotHaveDuplicates();
    assertThatEachLeadsToANeighbour(mesh, route);
    assertThatEachLeadsToANeighbour(mesh, mesh.route(from, to));
  }

  @Example
  void aTorus_closesLinesOfThreeOrMore() {
    Mesh torus = Mesh.of("torus:2x4");
    assertThat(torus.neighbours(0)).containsExactly(1, 3, 4);
    assertThat(torus.route(0, 7)).containsExactly(0, 3, 7);
    assertThat(torus.route(0, 2)).as("both ways are as long").containsExactly(0, 1, 2);
    assertThat(torus.distance(4, 7)).isEqualTo(1);
  }

  @Example
  void aMeshOfRowsAndColumns_isInOneOfMoreDimensions() {
    Mesh mesh = Mesh.of("2x3x2");
    int[] ranks = mesh.inRows();
    Mesh rows = new Mesh(6, 2);
    for (int place = 0; place < rows.ranks(); place++) {
      for (int beside : rows.neighbours(place)) {
        assertThat(mesh.areNeighbours(ranks[place], ranks[beside])).isTrue();
      }
    }
  }

  @Example
  void aBlockOfThreeDimensions() {
    Mesh mesh = Mesh.of("2x3x4");
    assertThat(mesh.block(List.of(0, 1, 2), List.of(2, 1, 2))).containsExactly(6, 7, 18, 19);
    assertThatThrownBy(() -> mesh.block(List.of(0, 1), List.of(1, 1)))
        .hasMessage("block 0,1+1x1 is not in a mesh of 2x3x4");
    assertThatThrownBy(() -> mesh.block(List.of(0, 1, 2), List.of(0, 1, 1)))
        .hasMessage("block 0,1,2+0x1x1 is not in a mesh of 2x3x4");
  }

  static void assertThatEachLeadsToANeighbour(Mesh mesh, int[] route) {
    for (int i = 1; i < route.length; i++) {
      assertThat(mesh.areNeighbours(route[i - 1], route[i]))
          .as("%s in %s", Arrays.toString(route), mesh)
          .isTrue();
    }
  }
}
