package dev.braid.exchange.allreduce.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.exchange.allreduce.mesh.MeshPlan.Colour;
import dev.braid.exchange.allreduce.mesh.MeshPlanner.Variant;
import dev.braid.exchange.allreduce.mesh.MeshStage.Forwards;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Holes;
import dev.braid.topology.Mesh;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MeshPlanTest {

  /** Tests all meshes up to 8x8, with vectors of any length. */
  @Example
  void onAFullMesh_eachElementIsSummedOverAllRanksOnce_andComesToAll() {
    for (int rows = 1; rows <= 8; rows++) {
      for (int columns = 1; columns <= 8; columns++) {
        for (MeshAlgorithm algorithm : MeshAlgorithm.values()) {
          for (int length : new int[] {1, 7, 100}) {
            check(new Mesh(rows, columns).whole(), length, Variant.plain(algorithm));
            check(new Mesh(rows, columns).whole(), length, Variant.hierarchical(algorithm));
          }
        }
      }
    }
  }

  @Property(tries = 500)
  void withAnyHoles_eachElementIsSummedOverAllRanksOnce_andComesToAll(
      @ForAll long seed,
      @ForAll MeshAlgorithm algorithm,
      @ForAll boolean isHierarchical,
      @ForAll @IntRange(min = 1, max = 150) int length) {
    check(Holes.connected(seed, 8), length, new Variant(algorithm, isHierarchical));
  }

  @Property(tries = 500)
  void inAnyDimensions_eachElementIsSummedOverAllRanksOnce_andComesToAll(
      @ForAll long seed,
      @ForAll MeshAlgorithm algorithm,
      @ForAll boolean isHierarchical,
      @ForAll @IntRange(min = 1, max = 150) int length) {
    check(Holes.inAnyDimensions(seed), length, new Variant(algorithm, isHierarchical));
  }

  @Example
  void threeDimensions_areThreeStages_inAsManyOrdersAsColours() {
    Mesh mesh = Mesh.of("3x4x2");
    for (MeshAlgorithm algorithm : MeshAlgorithm.values()) {
      for (Variant variant : Variant.of(algorithm)) {
        check(mesh.whole(), 50, variant);
        check(mesh.without(7, 8, 23), 50, variant);
      }
    }
    MeshPlan plan = MeshPlanner.plan(mesh.whole(), 72, MeshAlgorithm.COLOURS);
    assertThat(plan.colours())
        .extracting(colour -> colour.stages().stream().map(MeshPlanTest::ringLength).toList())
        .containsExactly(List.of(2, 4, 3), List.of(4, 3, 2), List.of(3, 2, 4));
    assertThat(plan.colours()).extracting(colour -> colour.range().length()).containsOnly(24);
  }

  private static int ringLength(MeshStage stage) {
    return ((Rings) stage).rings().get(0).members().size();
  }

  /** In two dimensions, nd is 2d, and nd-colours is 2d-two-colour. */
  @Example
  void inTwoDimensions_theyAreThoseOfRowsAndColumns() {
    for (HoledMesh mesh : List.of(new Mesh(4, 6).whole(), new Mesh(4, 6).without(8, 9, 14, 15))) {
      assertThat(MeshPlanner.plan(mesh, 100, MeshAlgorithm.DIMENSIONS))
          .isEqualTo(MeshPlanner.plan(mesh, 100, MeshAlgorithm.ROWS_THEN_COLUMNS));
      assertThat(MeshPlanner.plan(mesh, 100, MeshAlgorithm.COLOURS))
          .isEqualTo(MeshPlanner.plan(mesh, 100, MeshAlgorithm.TWO_COLOURS));
    }
  }

  /** A view need not be connected in the mesh if ranks reach each other by other routes. */
  @Example
  void partsThatDoNotHangTogether_areSummedTogetherAllTheSame() {
    for (MeshAlgorithm algorithm : MeshAlgorithm.values()) {
      for (Variant variant : Variant.of(algorithm)) {
        check(new Mesh(3, 6).without(2, 8, 14, 9), 50, variant);
        check(new Mesh(3, 3).without(1, 3, 4, 5, 7), 10, variant);
      }
    }
  }

  private static void check(HoledMesh mesh, int length, Variant variant) {
    MeshPlan plan = MeshPlanner.plan(mesh, length, variant);
    String title = "%s without %s, %s".formatted(mesh.mesh(), mesh.failed(), variant);
    int covered = 0;
    for (Colour colour : plan.colours()) {
      assertThat(colour.range().start()).as(title).isEqualTo(covered);
      covered = colour.range().end();
      PlanRun run = new PlanRun(mesh, length, title);
      run.sumUp(colour);
      run.goBack(colour);
    }
    assertThat(covered).as(title).isEqualTo(length);
  }

  /** Each rank sends 2(n−1)/n of the vector with every algorithm, if no rank is left over. */
  @Property(tries = 100)
  void onAFullMesh_eachRankSendsTheLeastThatThereIs(
      @ForAll @IntRange(min = 1, max = 4) int halfRows,
      @ForAll @IntRange(min = 1, max = 8) int columns,
      @ForAll MeshAlgorithm algorithm,
      @ForAll boolean isHierarchical) {
    Mesh mesh = new Mesh(2 * halfRows, columns);
    int length = 5000;
    MeshPlan plan = MeshPlanner.plan(mesh.whole(), length, new Variant(algorithm, isHierarchical));
    double least = 2.0 * (mesh.ranks() - 1) / mesh.ranks() * length;
    for (int rank = 0; rank < mesh.ranks(); rank++) {
      assertThat((double) plan.valuesSent(rank)).isCloseTo(least, within(8.0));
    }
  }

  @Example
  void figure4_rowsThenColumns() {
    Mesh mesh = new Mesh(3, 4);
    List<Rings> stages = rings(MeshPlanner.plan(mesh.whole(), 60, MeshAlgorithm.ROWS_THEN_COLUMNS));
    assertThat(stages).hasSize(2);
    for (MemberRing ring : stages.get(0).rings()) {
      assertThat(ring.members()).extracting(mesh::row).containsOnly(mesh.row(first(ring)));
      assertThat(ring.range().length()).isEqualTo(60);
    }
    for (MemberRing ring : stages.get(1).rings()) {
      assertThat(ring.members()).extracting(mesh::column).containsOnly(mesh.column(first(ring)));
      assertThat(ring.range().length()).isEqualTo(15);
    }
  }

  @Example
  void twoColours_useRowsAndColumnsAtTheSameTime() {
    Mesh mesh = new Mesh(4, 4);
    MeshPlan plan = MeshPlanner.plan(mesh.whole(), 64, MeshAlgorithm.TWO_COLOURS);
    assertThat(plan.colours())
        .extracting(colour -> colour.range().length())
        .containsExactly(32, 32);
    MemberRing row = ((Rings) plan.colours().get(0).stages().get(0)).rings().get(0);
    MemberRing column = ((Rings) plan.colours().get(1).stages().get(0)).rings().get(0);
    assertThat(row.members()).containsExactly(0, 1, 2, 3);
    assertThat(column.members()).containsExactly(0, 4, 8, 12);
    assertThat(plan.phases()).isEqualTo(8);
  }

  /** Figure 7: nodes of alternate rows, in the same column. */
  @Example
  void rowPairs_thenAlternateRows() {
    Mesh mesh = new Mesh(6, 4);
    List<Rings> stages = rings(MeshPlanner.plan(mesh.whole(), 96, MeshAlgorithm.ROW_PAIRS));
    for (MemberRing ring : stages.get(1).rings()) {
      int first = first(ring);
      assertThat(ring.members()).containsExactly(first, first + 8, first + 16);
      assertThat(ring.range().length()).isEqualTo(96 / 8);
    }
  }

  /**
   * Figure 9, except that sums go to the ranks that have the shards: a quarter is a guest's, an
   * eighth a host's.
   */
  @Example
  void besideAHole_smallerRingsForwardToAFullOne() {
    Mesh mesh = new Mesh(4, 4);
    HoledMesh holed = mesh.without(mesh.block(0, 2, 2, 2));
    Colour colour = MeshPlanner.plan(holed, 80, MeshAlgorithm.ROW_PAIRS).colours().get(0);
    assertThat(((Rings) colour.stages().get(0)).rings())
        .extracting(MemberRing::members)
        .containsExactly(List.of(8, 9, 10, 11, 15, 14, 13, 12), List.of(0, 1, 5, 4));
    Forwards forwards = (Forwards) colour.stages().get(1);
    for (int guest : new int[] {0, 1, 4, 5}) {
      assertThat(forwards.from(guest)).hasSize(2);
      assertThat(forwards.from(guest))
          .allSatisfy(forward -> assertThat(forward.values()).isEqualTo(10));
    }
    for (int host = 8; host < 16; host++) {
      assertThat(forwards.to(host)).hasSize(1);
    }
  }

  /** A block of two rows leaves two rings on each side, of whose sums one is forwarded. */
  @Example
  void besideABlock_smallerRingsAddUpTheirSumsBeforeTheyForward() {
    Mesh mesh = new Mesh(4, 6);
    HoledMesh holed = mesh.without(mesh.block(1, 2, 2, 2));
    Variant variant = Variant.hierarchical(MeshAlgorithm.ROWS_THEN_COLUMNS);
    Colour colour = MeshPlanner.plan(holed, 96, variant).colours().get(0);
    Rings across = (Rings) colour.stages().get(1);
    assertThat(across.rings())
        .extracting(MemberRing::members)
        .containsExactly(List.of(6, 12), List.of(7, 13), List.of(10, 16), List.of(11, 17));
    assertThat(across.rings()).allMatch(ring -> ring.range().length() == 48);
    Forwards forwards = (Forwards) colour.stages().get(2);
    for (int guest : new int[] {6, 7, 12, 13, 10, 11, 16, 17}) {
      assertThat(forwards.from(guest).stream().mapToLong(MeshStage.Forward::values).sum())
          .isEqualTo(96 / 4);
    }
  }

  /** Columns of six become rings of three, and across these rings of two; columns of five stay. */
  @Example
  void theLastRings_areOfNeighbours_andThenAcross() {
    Variant variant = Variant.hierarchical(MeshAlgorithm.ROWS_THEN_COLUMNS);
    List<Rings> stages = rings(MeshPlanner.plan(new Mesh(6, 4).whole(), 96, variant));
    assertThat(stages).hasSize(3);
    assertThat(stages.get(1).rings()).hasSize(8);
    assertThat(stages.get(1).rings())
        .extracting(MemberRing::members)
        .contains(List.of(0, 4, 8), List.of(12, 16, 20), List.of(3, 7, 11));
    assertThat(stages.get(2).rings())
        .extracting(MemberRing::members)
        .contains(List.of(0, 12), List.of(4, 16), List.of(11, 23));
    assertThat(MeshPlanner.plan(new Mesh(5, 4).whole(), 100, variant))
        .isEqualTo(MeshPlanner.plan(new Mesh(5, 4).whole(), 100, MeshAlgorithm.ROWS_THEN_COLUMNS));
  }

  @Example
  void aRankLeftOver_forwardsInTheOrderInWhichItsHostNeedsIt() {
    HoledMesh holed = new Mesh(3, 3).whole();
    Colour colour = MeshPlanner.plan(holed, 80, MeshAlgorithm.ONE_RING).colours().get(0);
    Forwards forwards = (Forwards) colour.stages().get(0);
    MemberRing ring = ((Rings) colour.stages().get(1)).rings().get(0);
    assertThat(forwards.forwards()).hasSize(1);
    MeshStage.Forward forward = forwards.forwards().get(0);
    assertThat(holed.mesh().areNeighbours(forward.guest(), forward.host())).isTrue();
    int position = ring.members().indexOf(forward.host());
    assertThat(forward.pieces().get(0)).isEqualTo(ring.block(position));
    assertThat(forward.pieces().get(1)).isEqualTo(ring.block(Math.floorMod(position - 1, 8)));
  }

  @Example
  void amongRanksWithOtherNumbers_itIsTheSame() {
    HoledMesh holed = new Mesh(4, 4).without(5);
    MeshPlan plan = MeshPlanner.plan(holed, 100, MeshAlgorithm.ROW_PAIRS);
    List<Integer> numbers = IntStream.range(0, 16).mapToObj(rank -> 100 - rank).toList();
    MeshPlan other = plan.renumbered(numbers);
    for (int rank = 0; rank < 16; rank++) {
      assertThat(other.valuesSent(100 - rank)).isEqualTo(plan.valuesSent(rank));
    }
    assertThat(plan.valuesSent(5)).isZero();
  }

  private static List<Rings> rings(MeshPlan plan) {
    List<Rings> rings = new ArrayList<>();
    plan.colours().get(0).stages().forEach(stage -> rings.add((Rings) stage));
    return rings;
  }

  private static int first(MemberRing ring) {
    return ring.members().get(0);
  }
}
