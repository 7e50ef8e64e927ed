package dev.braid.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The rings that a mesh allreduce begins with. All {@code full} ones have as many ranks, in places
 * that correspond: those at one position can go on together. The {@code smaller} ones are what
 * holes leave of the others. Ranks that are in none are left over.
 *
 * @param full at least one
 * @param smaller of two ranks or more each
 */
public record MeshRings(List<int[]> full, List<int[]> smaller) {

  public MeshRings {
    full = List.copyOf(full);
    smaller = List.copyOf(smaller);
    if (full.isEmpty()) {
      throw new IllegalArgumentException("rings of a mesh: at least one is needed");
    }
  }

  /**
   * One ring along a Hamiltonian circuit, or along the longest circuit that is found (Kumar and
   * Jouppi 2020, Figures 3 and 8). Where there is none, as in a single row, the ring has all ranks
   * that are left, row by row to and fro, and messages to one that is no neighbour take several
   * links.
   */
  public static MeshRings circuit(HoledMesh mesh) {
    int[] circuit = MeshCircuit.of(mesh);
    return new MeshRings(List.of(circuit.length == 0 ? toAndFro(mesh) : circuit), List.of());
  }

  private static int[] toAndFro(HoledMesh holed) {
    Mesh mesh = holed.mesh();
    return IntStream.range(0, mesh.ranks())
        .map(
            i -> {
              int row = i / mesh.columns();
              int column = i % mesh.columns();
              return mesh.rank(row, row % 2 == 0 ? column : mesh.columns() - 1 - column);
            })
        .filter(holed::isLive)
        .toArray();
  }

  /**
   * A ring for each row, closed by the way back along it (Figure 4); smaller ones for what holes
   * leave of a row. A circuit, where each row has a hole.
   */
  public static MeshRings rows(HoledMesh holed) {
    Mesh mesh = holed.mesh();
    Bands bands = new Bands(holed);
    for (int row = 0; row < mesh.rows(); row++) {
      bands.add(line(mesh.rank(row, 0), mesh.columns(), 1), 1);
    }
    return bands.orCircuit();
  }

  /** The same with columns for rows. */
  public static MeshRings columns(HoledMesh holed) {
    Mesh mesh = holed.mesh();
    Bands bands = new Bands(holed);
    for (int column = 0; column < mesh.columns(); column++) {
      bands.add(line(column, mesh.rows(), mesh.columns()), 1);
    }
    return bands.orCircuit();
  }

  private static List<int[]> line(int first, int length, int step) {
    return IntStream.range(0, length).mapToObj(i -> new int[] {first + i * step}).toList();
  }

  /**
   * A ring for each pair of rows: there along the first and back along the second (Figure 6);
   * smaller ones of the same kind for what holes leave of a pair (Figure 9), and for a last row
   * without a second. A circuit, where each pair has a hole.
   */
  public static MeshRings rowPairs(HoledMesh holed) {
    Mesh mesh = holed.mesh();
    Bands bands = new Bands(holed);
    for (int row = 0; row + 1 < mesh.rows(); row += 2) {
      int above = mesh.rank(row, 0);
      int below = mesh.rank(row + 1, 0);
      bands.add(
          IntStream.range(0, mesh.columns())
              .mapToObj(column -> new int[] {above + column, below + column})
              .toList(),
          2);
    }
    if (mesh.rows() % 2 == 1) {
      bands.addSmaller(line(mesh.rank(mesh.rows() - 1, 0), mesh.columns(), 1));
    }
    return bands.orCircuit();
  }

  /** Rows, columns or pairs of them, each with rings of what is left of it. */
  private static final class Bands {
    private final HoledMesh holed;
    private final List<int[]> full = new ArrayList<>();
    private final List<int[]> smaller = new ArrayList<>();

    Bands(HoledMesh holed) {
      this.holed = holed;
    }

    /**
     * A band whose rings are full where it has no hole.
     *
     * @param places one after the other: the ranks of each
     * @param width how many ranks a place has
     */
    void add(List<int[]> places, int width) {
      List<int[]> runs = runs(holed, places);
      if (!runs.isEmpty() && runs.get(0).length == places.size() * width) {
        full.addAll(runs);
      } else {
        addRuns(runs);
      }
    }

    /** A band of another length than the others. */
    void addSmaller(List<int[]> places) {
      addRuns(runs(holed, places));
    }

    private void addRuns(List<int[]> runs) {
      smaller.addAll(runs.stream().filter(run -> run.length > 1).toList());
    }

    MeshRings orCircuit() {
      return full.isEmpty() ? circuit(holed) : new MeshRings(full, smaller);
    }
  }

  /** A ring for each run of places that all of their ranks are left of: there, and back. */
  private static List<int[]> runs(HoledMesh holed, List<int[]> places) {
    List<int[]> runs = new ArrayList<>();
    int begin = 0;
    for (int end = 0; end <= places.size(); end++) {
      boolean isLive =
          end < places.size() && Arrays.stream(places.get(end)).allMatch(holed::isLive);
      if (!isLive) {
        if (end > begin) {
          runs.add(thereAndBack(places.subList(begin, end)));
        }
        begin = end + 1;
      }
    }
    return runs;
  }

  private static int[] thereAndBack(List<int[]> places) {
    IntStream there = places.stream().mapToInt(place -> place[0]);
    IntStream back =
        IntStream.iterate(places.size() - 1, i -> i >= 0, i -> i - 1)
            .filter(i -> places.get(i).length > 1)
            .map(i -> places.get(i)[1]);
    return IntStream.concat(there, back).toArray();
  }

  /** The ranks that are in none of the rings, ascending. */
  public int[] leftOver(HoledMesh holed) {
    boolean[] isIn = new boolean[holed.mesh().ranks()];
    full.forEach(ring -> Arrays.stream(ring).forEach(rank -> isIn[rank] = true));
    smaller.forEach(ring -> Arrays.stream(ring).forEach(rank -> isIn[rank] = true));
    return Arrays.stream(holed.live()).filter(rank -> !isIn[rank]).toArray();
  }
}
