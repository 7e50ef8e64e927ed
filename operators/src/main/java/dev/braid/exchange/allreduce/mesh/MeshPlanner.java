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
 * Makes the plan of an allreduce for a mesh with any set of holes. Each level of rings has the same
 * stages, of which a mesh without holes needs one only:
 *
 * <ol>
 *   <li>ranks that are {@linkplain LeftOver left over} forward all they have to neighbours;
 *   <li>the {@linkplain MeshRings rings}, full ones and smaller ones;
 *   <li>each {@linkplain SmallerRings smaller ring}, or some side by side, forward their sum to
 *       full ones: each shard to ranks that have these elements there, behind both rings, so that
 *       neither waits for the other.
 * </ol>
 *
 * <p>Then the ranks at one position of all full rings have the same shard, and are a mesh
 * themselves, of one dimension less: with a hole for each line that is not full. They go on with
 * the next level, until one full ring is left.
 */
public final class MeshPlanner {

  /**
   * An algorithm, and whether it adds up in groups before it does across them, where there is a
   * choice of that:
   *
   * <ul>
   *   <li>smaller rings side by side, such as those of all columns above a hole, add up their sums
   *       in rings across them and forward one sum; else each forwards its own, over the few links
   *       that go around the hole;
   *   <li>the last rings, of n ranks that have a small shard each, become rings of some neighbours
   *       and rings across these: about 2√n steps in the place of n, for more bytes on each link. A
   *       step waits for what other colours have on its links, maybe a block many times as large:
   *       that is what most of a last ring's time goes by where colours are out of step, as holes
   *       make them.
   * </ul>
   *
   * @param isHierarchical whether it does so; else it is the paper's
   */
  public record Way(MeshAlgorithm algorithm, boolean isHierarchical) {

    /** As in the paper. */
    public static Way plain(MeshAlgorithm algorithm) {
      return new Way(algorithm, false);
    }

    /** In groups, and across them. */
    public static Way hierarchical(MeshAlgorithm algorithm) {
      return new Way(algorithm, true);
    }

    /** Both of an algorithm. */
    public static List<Way> of(MeshAlgorithm algorithm) {
      return List.of(plain(algorithm), hierarchical(algorithm));
    }

    @Override
    public String toString() {
      return algorithm.title() + (isHierarchical ? " in groups" : "");
    }
  }

  /** Of the vector's part that one colour has. */
  private final Range range;

  private final boolean isHierarchical;
  private final List<MeshStage> stages = new ArrayList<>();

  private MeshPlanner(Range range, boolean isHierarchical) {
    this.range = range;
    this.isHierarchical = isHierarchical;
  }

  /**
   * Ranks that go on together, and have values of a range and of nothing else.
   *
   * @param ranks in the order of what is left of the level's mesh
   */
  private record Plane(List<Integer> ranks, Range range) {}

  /**
   * The plan for the ranks that are left of a mesh, over a vector of a length. Where the algorithm
   * is {@linkplain MeshAlgorithm#isFor none for the mesh}, that is a plan all the same: {@code 2d}
   * is {@code nd}.
   */
  public static MeshPlan plan(HoledMesh mesh, int length, Way way) {
    Range vector = Range.ofLength(length);
    boolean isHierarchical = way.isHierarchical();
    return new MeshPlan(
        switch (way.algorithm()) {
          case ONE_RING -> List.of(new MeshPlanner(vector, isHierarchical).circuit(mesh));
          case ROWS_THEN_COLUMNS, DIMENSIONS -> colours(mesh, vector, isHierarchical, 1);
          case TWO_COLOURS, COLOURS ->
              colours(mesh, vector, isHierarchical, mesh.mesh().squeezed().dimensions());
          case ROW_PAIRS -> List.of(new MeshPlanner(vector, isHierarchical).rowPairs(mesh));
        });
  }

  /** The plan by an algorithm as the paper has it. */
  public static MeshPlan plan(HoledMesh mesh, int length, MeshAlgorithm algorithm) {
    return plan(mesh, length, Way.plain(algorithm));
  }

  /** Each of another order of the dimensions, as far as they have more than one place. */
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
   * Along one dimension after the other.
   *
   * @param turn how many dimensions come later than in the order from the last to the first
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
   * A last line, of all ranks that are left of it, as groups of neighbours: a mesh of these by
   * groups, whose rows are groups. Others, and those of ranks that make no groups, as they are.
   */
  private HoledMesh inGroups(HoledMesh mesh) {
    int groups =
        isHierarchical && mesh.mesh().dimensions() == 1 ? Mesh.mostSquare(mesh.size()).rows() : 1;
    return groups == 1 ? mesh : Mesh.mostSquare(mesh.size()).whole();
  }

  /** The mesh of the lines along a dimension, of which those are left that are full. */
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
   * The stages of one level, in all planes beside each other.
   *
   * @return the planes of the next, if it has more than one full ring: one for each position
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

  /** A plane's ranks by their place in the level's mesh; where there is none, −1. */
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
