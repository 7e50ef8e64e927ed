package dev.braid.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A circuit of a mesh: ranks in a circle, each with a link to the next and none twice (Kumar and
 * Jouppi 2020, Figures 3 and 8).
 *
 * <p>Four ranks in a square make a circuit. Two adjacent squares become one circuit when the two
 * links that face each other are replaced by the two links between them:
 *
 * <pre>
 *   o ─ o   o ─ o        o ─ o ─ o ─ o
 *   │   │   │   │   ──▶  │           │
 *   o ─ o   o ─ o        o ─ o ─ o ─ o
 * </pre>
 *
 * <p>Done along a spanning tree of all squares, this makes one circuit of all of them, however many
 * holes are between them. A mesh of even rows and columns therefore has a Hamiltonian circuit, with
 * all of its ranks. This is still so if blocks of even size and start have failed and the remaining
 * squares are connected. Afterwards the circuit takes in adjacent pairs: a link is replaced by a
 * way over two further ranks. In this way it also reaches all ranks of a full mesh with an odd
 * side, if their number is even. With other holes some ranks may be left over: the circuit is the
 * longest of those that begin with squares at even or odd rows and columns.
 */
final class MeshCircuit {

  private static final int NONE = -1;

  private final HoledMesh holed;
  private final Mesh mesh;

  /** By rank: the next rank on the circuit, or {@link #NONE}. */
  private final int[] next;

  private MeshCircuit(HoledMesh holed) {
    this.holed = holed;
    this.mesh = holed.mesh();
    this.next = new int[mesh.ranks()];
    Arrays.fill(next, NONE);
  }

  /**
   * Returns the longest circuit that is found, starting with its lowest rank; empty if no four
   * ranks form a square.
   */
  static int[] of(HoledMesh mesh) {
    int[] longest = {};
    for (int alignment = 0; alignment < 4 && longest.length < mesh.size(); alignment++) {
      int[] circuit = new MeshCircuit(mesh).build(alignment / 2, alignment % 2);
      longest = circuit.length > longest.length ? circuit : longest;
    }
    return longest.length < mesh.size() && mesh.mesh().isTorus() && mesh.failed().isEmpty()
        ? aroundTorus(mesh.mesh()).orElse(longest)
        : longest;
  }

  /**
   * Returns a circuit of all ranks of a torus with odd sides, which a mesh of odd sides does not
   * have. It goes once around each line along the shorter side, one line after the other. From a
   * line that it traverses to the right, it enters the next line one place further left; from one
   * that it traverses to the left, one place further right. The numbers of both are chosen so that
   * the circuit ends where it began. Empty if a side is even, or the shorter side is below 3.
   */
  private static Optional<int[]> aroundTorus(Mesh mesh) {
    int along = mesh.rows() < mesh.columns() ? 0 : 1;
    int lines = mesh.size(1 - along);
    int length = mesh.size(along);
    if (length < 3 || lines % 2 == 0 || length % 2 == 0) {
      return Optional.empty();
    }
    int toTheLeft = (lines - length) / 2;
    int[] circuit = new int[mesh.ranks()];
    int place = 0;
    for (int line = 0; line < lines; line++) {
      int step = line < toTheLeft ? -1 : 1;
      for (int i = 0; i < length; i++) {
        int at = Math.floorMod(place + i * step, length);
        circuit[line * length + i] = along == 1 ? mesh.rank(line, at) : mesh.rank(at, line);
      }
      place = Math.floorMod(place - step, length);
    }
    return Optional.of(circuit);
  }

  /** A square of four ranks, given by its upper left rank. */
  private record Square(int row, int column) {}

  private int[] build(int firstRow, int firstColumn) {
    List<Square> squares = largestPart(firstRow, firstColumn);
    if (squares.isEmpty()) {
      return new int[0];
    }
    while (takePairsIn()) {
      // Further pairs may be next to those that were taken in.
    }
    return inOrder();
  }

  /** Joins the squares of the largest connected part to a circuit, and returns these squares. */
  private List<Square> largestPart(int firstRow, int firstColumn) {
    boolean[] seen = new boolean[mesh.ranks()];
    List<List<Join>> parts = new ArrayList<>();
    for (int row = firstRow; row + 1 < mesh.rows(); row += 2) {
      for (int column = firstColumn; column + 1 < mesh.columns(); column += 2) {
        Square square = new Square(row, column);
        if (isLive(square) && !seen[rank(square)]) {
          parts.add(spanning(square, seen));
        }
      }
    }
    List<Join> largest = parts.stream().max(Comparator.comparingInt(List::size)).orElse(List.of());
    largest.forEach(join -> lay(join.square()));
    largest.forEach(this::join);
    return largest.stream().map(Join::square).toList();
  }

  /** A square and its parent in the spanning tree; the root is its own parent. */
  private record Join(Square before, Square square) {}

  private List<Join> spanning(Square root, boolean[] seen) {
    List<Join> tree = new ArrayList<>();
    Deque<Join> open = new ArrayDeque<>();
    open.add(new Join(root, root));
    seen[rank(root)] = true;
    while (!open.isEmpty()) {
      Join join = open.remove();
      tree.add(join);
      Square at = join.square();
      for (Square other :
          List.of(
              new Square(at.row(), at.column() + 2),
              new Square(at.row() + 2, at.column()),
              new Square(at.row(), at.column() - 2),
              new Square(at.row() - 2, at.column()))) {
        if (isLive(other) && !seen[rank(other)]) {
          seen[rank(other)] = true;
          open.add(new Join(at, other));
        }
      }
    }
    return tree;
  }

  private int rank(Square square) {
    return mesh.rank(square.row(), square.column());
  }

  private boolean isLive(Square square) {
    int row = square.row();
    int column = square.column();
    return holed.isLive(row, column)
        && holed.isLive(row, column + 1)
        && holed.isLive(row + 1, column)
        && holed.isLive(row + 1, column + 1);
  }

  /** Links the four ranks of a square clockwise. */
  private void lay(Square square) {
    int row = square.row();
    int column = square.column();
    next[mesh.rank(row, column)] = mesh.rank(row, column + 1);
    next[mesh.rank(row, column + 1)] = mesh.rank(row + 1, column + 1);
    next[mesh.rank(row + 1, column + 1)] = mesh.rank(row + 1, column);
    next[mesh.rank(row + 1, column)] = mesh.rank(row, column);
  }

  private void join(Join join) {
    boolean isInOrder =
        join.before().row() <= join.square().row()
            && join.before().column() <= join.square().column();
    Square first = isInOrder ? join.before() : join.square();
    Square second = isInOrder ? join.square() : join.before();
    int row = second.row();
    int column = second.column();
    if (first.column() < column) {
      next[mesh.rank(row, column - 1)] = mesh.rank(row, column);
      next[mesh.rank(row + 1, column)] = mesh.rank(row + 1, column - 1);
    } else if (first.row() < row) {
      next[mesh.rank(row - 1, column + 1)] = mesh.rank(row, column + 1);
      next[mesh.rank(row, column)] = mesh.rank(row - 1, column);
    }
  }

  /**
   * Replaces links by ways over two adjacent ranks that are not in the circuit yet.
   *
   * @return whether any link was replaced
   */
  private boolean takePairsIn() {
    boolean found = false;
    for (int rank = 0; rank < next.length; rank++) {
      if (next[rank] != NONE) {
        found |= takeIn(rank, 1) || takeIn(rank, -1);
      }
    }
    return found;
  }

  private boolean takeIn(int rank, int side) {
    int other = next[rank];
    boolean isInRow = mesh.row(rank) == mesh.row(other);
    int down = isInRow ? side : 0;
    int right = isInRow ? 0 : side;
    if (!isFree(mesh.row(rank) + down, mesh.column(rank) + right)
        || !isFree(mesh.row(other) + down, mesh.column(other) + right)) {
      return false;
    }
    int beside = mesh.rank(mesh.row(rank) + down, mesh.column(rank) + right);
    int besideOther = mesh.rank(mesh.row(other) + down, mesh.column(other) + right);
    next[rank] = beside;
    next[beside] = besideOther;
    next[besideOther] = other;
    return true;
  }

  private boolean isFree(int row, int column) {
    return holed.isLive(row, column) && next[mesh.rank(row, column)] == NONE;
  }

  private int[] inOrder() {
    int first = 0;
    while (next[first] == NONE) {
      first++;
    }
    List<Integer> circuit = new ArrayList<>();
    int rank = first;
    do {
      circuit.add(rank);
      rank = next[rank];
    } while (rank != first);
    return circuit.stream().mapToInt(Integer::intValue).toArray();
  }
}
