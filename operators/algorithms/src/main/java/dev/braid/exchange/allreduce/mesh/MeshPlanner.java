package dev.braid.exchange.allreduce.mesh;

import dev.braid.exchange.allreduce.mesh.MeshPlan.Colour;
import dev.braid.exchange.allreduce.mesh.MeshStage.MemberRing;
import dev.braid.exchange.allreduce.mesh.MeshStage.Rings;
import dev.braid.topology.HoledMesh;
import dev.braid.topology.Mesh;
import dev.braid.topology.MeshRings;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Planner of an allreduce for a mesh with any set of holes. Each level of rings has the following
 * stages, of which a mesh without holes needs only the second:
 *
 * <ol>
 *   <li>ranks that are {@linkplain LeftOver left over} forward all their values to neighbours;
 *   <li>the {@linkplain MeshRings rings}, full ones and smaller ones, add up;
 *   <li>each {@linkplain SmallerRings smaller ring}, or several side by side, forwards its sum to
 *       full rings: each shard goes to the ranks of full rings that own these elements. This
 *       happens after both rings, so that neither waits for the other.
 * </ol>
 *
 * <p>The ranks at one position of all full rings then have the same shard, and form a mesh with one
 * dimension less, with a hole for each line that is not full. They continue with the next level
 * until one full ring is left.
 */
public final class MeshPlanner {

  /**
   * An algorithm and whether it is hierarchical, that is, adds up in groups first and then across
   * them where possible:
   *
   * <ul>
   *   <li>Smaller rings side by side, such as those of all columns above a hole, add up their sums
   *       in rings across them and forward one sum. Otherwise each smaller ring forwards its own
   *       sum over the few links around the hole.
   *   <li>The last rings, of n ranks with a small shard each, become rings of some neighbours and
   *       rings across these: about 2√n steps instead of n, with more bytes on each link. A step
   *       waits for data of other colours on its links, possibly a block many times as large. This
   *       dominates the time of a last ring if colours are out of step, as holes cause.
   * </ul>
   *
   * @param algorithm the algorithm
   * @param isHierarchical whether to add up in groups; false for the paper's algorithm
   */
  public record Variant(MeshAlgorithm algorithm, boolean isHierarchical) {

    /** Returns an algorithm as in the paper. */
    public static Variant plain(MeshAlgorithm algorithm) {
      return new Variant(algorithm, false);
    }

    /** Returns an algorithm that adds up in groups, then across them. */
    public static Variant hierarchical(MeshAlgorithm algorithm) {
      return new Variant(algorithm, true);
    }

    /** Returns both variants of an algorithm, the plain one first. */
    public static List<Variant> of(MeshAlgorithm algorithm) {
      return List.of(plain(algorithm), hierarchical(algorithm));
    }

    @Override
    public String toString() {
      return algorithm.title() + (isHierarchical ? " in groups" : "");
    }
  }

  /** The part of the vector of one colour. */
  private final Range range;

  private final boolean isHierarchical;
  private final List<MeshStage> stages = new ArrayList<>();

  private MeshPlanner(Range range, boolean isHierarchical) {
    this.range = range;
    this.isHierarchical = isHierarchical;
  }

  /**
   * Ranks that continue together and have values only of one range.
   *
   * @param ranks the ranks, in the order of the live places of the level's mesh
   * @param range the range
   */
  private record Plane(List<Integer> ranks, Range range) {}

  /**
   * Returns the plan for the remaining ranks of a mesh and a vector of a length. If the algorithm
   * does {@linkplain MeshAlgorithm#isFor not support the mesh}, the plan is still valid: {@code 2d}
   * becomes {@code nd}.
   */
  public static MeshPlan plan(HoledMesh mesh, int length, Variant variant) {
    Range vector = Range.ofLength(length);
    boolean isHierarchical = variant.isHierarchical();
    return new MeshPlan(
        switch (variant.algorithm()) {
          case ONE_RING -> List.of(new MeshPlanner(vector, isHierarchical).circuit(mesh));
          case ROWS_THEN_COLUMNS, DIMENSIONS -> colours(mesh, vector, isHierarchical, 1);
          case TWO_COLOURS, COLOURS ->
              colours(mesh, vector, isHierarchical, mesh.mesh().squeezed().dimensions());
          case ROW_PAIRS -> List.of(new MeshPlanner(vector, isHierarchical).rowPairs(mesh));
        });
  }

  /** Returns the plan of an algorithm as in the paper. */
  public static MeshPlan plan(HoledMesh mesh, int length, MeshAlgorithm algorithm) {
    return plan(mesh, length, Variant.plain(algorithm));
  }

  /** Returns colours with different orders of the dimensions that have more than one place. */
  private static List<Colour> colours(
      HoledMesh mesh, Range vector, boolean isHierarchical, int count) {
    HoledMesh squeezed = new HoledMesh(mesh.mesh().squeezed(), mesh.failed());
    return IntStream.range(0, count)
        .mapToObj(i -> new MeshPlanner(vector.part(i, count), isHierarchical).lines(squeezed, i))
        .toList();
  }

  private List<Plane> all(HoledMesh mesh) {
    return List.of(new Plane(Arrays.stream(mesh.live()).boxed().toList(), range));
  }

  private Colour circuit(HoledMesh mesh) {
    addLevel(mesh, all(mesh), MeshRings.circuit(mesh));
    return new Colour(range, stages);
  }

  private Colour rowPairs(HoledMesh mesh) {
    MeshRings rings =
        mesh.mesh().dimensions() == 2 ? MeshRings.rowPairs(mesh) : MeshRings.circuit(mesh);
    List<Plane> planes = addLevel(mesh, all(mesh), rings);
    if (rings.full().size() > 1) {
      HoledMesh pairs = new Mesh(List.of(rings.full().size()), false).whole();
      addLines(inGroups(pairs), planes, 0);
    }
    return new Colour(range, stages);
  }

  /**
   * Returns the colour with rings along one dimension after the other.
   *
   * @param turn distance from the last dimension to that of the first rings; the skipped dimensions
   *     come at the end
   */
  private Colour lines(HoledMesh whole, int turn) {
    addLines(whole, all(whole), turn);
    return new Colour(range, stages);
  }

  private void addLines(HoledMesh whole, List<Plane> planesOfWhole, int turn) {
    HoledMesh mesh = whole;
    List<Plane> planes = planesOfWhole;
    int dimension = whole.mesh().dimensions() - 1 - turn;
    boolean goesOn = true;
    while (goesOn) {
      MeshRings rings = MeshRings.lines(mesh, dimension);
      planes = addLevel(mesh, planes, rings);
      goesOn = rings.full().size() > 1;
      if (goesOn) {
        int others = mesh.mesh().dimensions() - 1;
        mesh = inGroups(fullLines(mesh, dimension));
        boolean isOther = mesh.mesh().dimensions() > others;
        dimension = isOther || dimension == 0 ? mesh.mesh().dimensions() - 1 : dimension - 1;
      }
    }
  }

  /**
   * Returns a last line as a mesh of its remaining ranks whose rows are groups of neighbours.
   * Returns other meshes, and lines that cannot be split into groups, unchanged.
   */
  private HoledMesh inGroups(HoledMesh mesh) {
    int groups =
        isHierarchical && mesh.mesh().dimensions() == 1 ? Mesh.mostSquare(mesh.size()).rows() : 1;
    return groups == 1 ? mesh : Mesh.mostSquare(mesh.size()).whole();
  }

  /** Returns the mesh whose places are the lines along a dimension; only full lines remain. */
  private static HoledMesh fullLines(HoledMesh mesh, int dimension) {
    List<int[]> lines = mesh.mesh().lines(dimension);
    List<Integer> full =
        IntStream.range(0, lines.size())
            .filter(i -> Arrays.stream(lines.get(i)).allMatch(mesh::isLive))
            .boxed()
            .toList();
    return mesh.mesh().across(dimension).only(full);
  }

  /**
   * Adds the stages of one level, in which all planes work concurrently.
   *
   * @return the planes of the next level, one for each position of the full rings
   */
  private List<Plane> addLevel(HoledMesh mesh, List<Plane> planes, MeshRings rings) {
    List<List<MeshStage>> beside =
        planes.stream().map(plane -> stages(mesh, plane, rings)).toList();
    for (int i = 0; i < beside.get(0).size(); i++) {
      int stage = i;
      stages.add(MeshStage.beside(beside.stream().map(of -> of.get(stage)).toList()));
    }
    List<Plane> next = new ArrayList<>();
    for (Plane plane : planes) {
      List<Integer> numbers = numbers(mesh, plane);
      for (int i = 0; i < rings.full().get(0).length; i++) {
        int position = i;
        MemberRing first = member(rings.full().get(0), plane.range());
        next.add(
            new Plane(
                rings.full().stream().map(ring -> numbers.get(ring[position])).toList(),
                first.shard(position)));
      }
    }
    return next;
  }

  private List<MeshStage> stages(HoledMesh mesh, Plane plane, MeshRings rings) {
    List<MemberRing> full = members(rings.full(), plane.range());
    List<MemberRing> smaller = members(rings.smaller(), plane.range());
    List<MemberRing> all = Stream.concat(full.stream(), smaller.stream()).toList();
    List<MeshStage> stages = new ArrayList<>(LeftOver.stages(mesh, all));
    stages.add(new Rings(all));
    stages.addAll(SmallerRings.stages(mesh, smaller, full, isHierarchical));
    List<Integer> numbers = numbers(mesh, plane);
    return stages.stream().map(stage -> stage.renumbered(numbers)).toList();
  }

  /** Returns a plane's ranks by their place in the level's mesh; −1 at holes. */
  private static List<Integer> numbers(HoledMesh mesh, Plane plane) {
    Integer[] numbers = new Integer[mesh.mesh().ranks()];
    Arrays.fill(numbers, -1);
    int[] live = mesh.live();
    for (int i = 0; i < live.length; i++) {
      numbers[live[i]] = plane.ranks().get(i);
    }
    return List.of(numbers);
  }

  private static List<MemberRing> members(List<int[]> rings, Range range) {
    return rings.stream().map(ring -> member(ring, range)).toList();
  }

  private static MemberRing member(int[] ring, Range range) {
    return new MemberRing(Arrays.stream(ring).boxed().toList(), range);
  }
}
