package dev.braid.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The rings with which a mesh allreduce begins. All {@code full} rings have the same number of
 * ranks, in corresponding places, so that the ranks at the same position can continue together. The
 * {@code smaller} rings are what holes leave of the others. Some ranks may be in no ring.
 *
 * @param full full rings, at least one
 * @param smaller smaller rings, each with two or more ranks
 */
public record MeshRings(List<int[]> full, List<int[]> smaller) {

  public MeshRings {
    full = List.copyOf(full);
    smaller = List.copyOf(smaller);
    if (full.isEmpty()) {
      throw new IllegalArgumentException("rings of a mesh: must be at least one");
    }
  }

  /**
   * Returns one ring along a Hamiltonian circuit, or along the longest circuit that is found (Kumar
   * and Jouppi 2020, Figures 3 and 8). If there is none, as in a single row, the ring has all ranks
   * that are left, row by row to and fro. Messages between ranks that are not neighbours then take
   * several links.
   */
  public static MeshRings circuit(HoledMesh mesh) {
    HoledMesh.InRows rows = mesh.inRows();
    int[] circuit = MeshCircuit.of(rows.mesh());
    int[] ring = circuit.length == 0 ? toAndFro(rows.mesh()) : circuit;
    return new MeshRings(List.of(rows.inFull(ring)), List.of());
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
   * Returns a ring for each line along a dimension, closed by the way back along it (Figure 4) or
   * by the torus' link. Smaller rings are for what holes leave of a line. If each line has a hole,
   * returns a {@linkplain #circuit circuit}.
   */
  public static MeshRings lines(HoledMesh holed, int dimension) {
    Bands bands = new Bands(holed, holed.mesh().isClosed(dimension));
    for (int[] line : holed.mesh().lines(dimension)) {
      bands.add(Arrays.stream(line).mapToObj(rank -> new int[] {rank}).toList(), 1);
    }
    return bands.orCircuit();
  }

  /**
   * Returns a ring for each pair of rows, which leads along the first row and back along the second
   * (Figure 6). Smaller rings of the same kind are for what holes leave of a pair (Figure 9), and
   * for a last row without a second. If each pair has a hole, returns a {@linkplain #circuit
   * circuit}. The mesh must have two dimensions.
   */
  public static MeshRings rowPairs(HoledMesh holed) {
    Mesh mesh = holed.mesh();
    Bands bands = new Bands(holed, mesh.isClosed(1));
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
      int last = mesh.rank(mesh.rows() - 1, 0);
      bands.addSmaller(
          IntStream.range(0, mesh.columns())
              .mapToObj(column -> new int[] {last + column})
              .toList());
    }
    return bands.orCircuit();
  }

  /** Rows, columns or pairs of rows, each with the rings of its remaining ranks. */
  private static final class Bands {
    private final HoledMesh holed;
    private final boolean areClosed;
    private final List<int[]> full = new ArrayList<>();
    private final List<int[]> smaller = new ArrayList<>();

    /**
     * Creates an empty list of bands.
     *
     * @param areClosed whether there are links from the last place of a band to its first
     */
    Bands(HoledMesh holed, boolean areClosed) {
      this.holed = holed;
      this.areClosed = areClosed;
    }

    /**
     * Adds a band, whose ring is full if the band has no hole.
     *
     * @param places the ranks of each place, in order
     * @param width number of ranks in a place
     */
    void add(List<int[]> places, int width) {
      List<int[]> runs = runs(places);
      if (!runs.isEmpty() && runs.get(0).length == places.size() * width) {
        full.addAll(runs);
      } else {
        addRuns(runs);
      }
    }

    /** Adds a band of another length than the others. */
    void addSmaller(List<int[]> places) {
      addRuns(runs(places));
    }

    private void addRuns(List<int[]> runs) {
      smaller.addAll(runs.stream().filter(run -> run.length > 1).toList());
    }

    MeshRings orCircuit() {
      return full.isEmpty() ? circuit(holed) : new MeshRings(full, smaller);
    }

    /** Returns a ring, there and back, for each run of places whose ranks are all left. */
    private List<int[]> runs(List<int[]> places) {
      List<int[]> turned = new ArrayList<>(places);
      if (areClosed) {
        // Begins after a hole, so that a run across the end is not split.
        int hole =
            IntStream.range(0, places.size())
                .filter(i -> !isLive(places.get(i)))
                .findFirst()
                .orElse(-1);
        Collections.rotate(turned, -hole - 1);
      }
      List<int[]> runs = new ArrayList<>();
      int begin = 0;
      for (int end = 0; end <= turned.size(); end++) {
        if (end == turned.size() || !isLive(turned.get(end))) {
          if (end > begin) {
            runs.add(thereAndBack(turned.subList(begin, end)));
          }
          begin = end + 1;
        }
      }
      return runs;
    }

    private boolean isLive(int[] place) {
      return Arrays.stream(place).allMatch(holed::isLive);
    }
  }

  private static int[] thereAndBack(List<int[]> places) {
    IntStream there = places.stream().mapToInt(place -> place[0]);
    IntStream back =
        IntStream.iterate(places.size() - 1, i -> i >= 0, i -> i - 1)
            .filter(i -> places.get(i).length > 1)
            .map(i -> places.get(i)[1]);
    return IntStream.concat(there, back).toArray();
  }
}
