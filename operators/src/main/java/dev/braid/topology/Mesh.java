package dev.braid.topology;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Ranks in rows and columns, each linked to those above, below, to the left and to the right of it
 * (Kumar and Jouppi 2020, §2). Ranks are counted row by row: that in row r and column c is r ·
 * columns + c. There are no links around the edges.
 *
 * <pre>
 *   2x4      0 ─ 1 ─ 2 ─ 3
 *            │   │   │   │
 *            4 ─ 5 ─ 6 ─ 7
 * </pre>
 *
 * @param rows how many there are, at least 1
 * @param columns how many ranks a row has, at least 1
 */
public record Mesh(int rows, int columns) implements Serializable {

  private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,4})x([1-9][0-9]{0,4})");

  public Mesh {
    if (rows < 1 || columns < 1) {
      throw new IllegalArgumentException(
          "a mesh of %d rows and %d columns: at least 1 of each is needed"
              .formatted(rows, columns));
    }
    Math.multiplyExact(rows, columns);
  }

  /**
   * As it is typed: rows, {@code x}, columns.
   *
   * @throws IllegalArgumentException if it is not that
   */
  public static Mesh of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException("rows x columns are needed, such as 4x8");
    }
    int rows = Integer.parseInt(form.group(1));
    int columns = Integer.parseInt(form.group(2));
    if ((long) rows * columns > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("a smaller mesh is needed");
    }
    return new Mesh(rows, columns);
  }

  /** The mesh of so many ranks whose rows are nearly as many as its columns, and not more. */
  public static Mesh mostSquare(int ranks) {
    int rows = (int) Math.sqrt(ranks);
    while (rows > 1 && ranks % rows != 0) {
      rows--;
    }
    return new Mesh(Math.max(1, rows), ranks / Math.max(1, rows));
  }

  /** How many ranks there are. */
  public int ranks() {
    return rows * columns;
  }

  /** The row of a rank. */
  public int row(int rank) {
    return rank / columns;
  }

  /** The column of a rank. */
  public int column(int rank) {
    return rank % columns;
  }

  /** The rank in a row and a column. */
  public int rank(int row, int column) {
    return row * columns + column;
  }

  /** Whether there is such a place. */
  public boolean contains(int row, int column) {
    return row >= 0 && row < rows && column >= 0 && column < columns;
  }

  /** How many links there are at least between two ranks. */
  public int distance(int one, int other) {
    return Math.abs(row(one) - row(other)) + Math.abs(column(one) - column(other));
  }

  /** Whether two ranks have a link. */
  public boolean areNeighbours(int one, int other) {
    return distance(one, other) == 1;
  }

  /** The ranks that a rank has a link to, ascending. */
  public int[] neighbours(int rank) {
    int row = row(rank);
    int column = column(rank);
    return IntStream.of(0, 1, 2, 3)
        .filter(side -> contains(row + ROWS[side], column + COLUMNS[side]))
        .map(side -> rank(row + ROWS[side], column + COLUMNS[side]))
        .toArray();
  }

  // Above, to the left, to the right, below: the order of their ranks.
  private static final int[] ROWS = {-1, 0, 0, 1};
  private static final int[] COLUMNS = {0, -1, 1, 0};

  /**
   * The ranks from one to another in dimension order: along the row, then along the column (Figure
   * 1). Both ends are in it.
   */
  public int[] route(int from, int to) {
    int[] route = new int[distance(from, to) + 1];
    int row = row(from);
    int column = column(from);
    for (int i = 0; i < route.length; i++) {
      route[i] = rank(row, column);
      if (column != column(to)) {
        column += Integer.signum(column(to) - column);
      } else {
        row += Integer.signum(row(to) - row);
      }
    }
    return route;
  }

  /** The same mesh without any of its ranks failed. */
  public HoledMesh whole() {
    return new HoledMesh(this, Set.of());
  }

  /** The mesh with only these ranks left. */
  public HoledMesh only(List<Integer> live) {
    boolean[] isLive = new boolean[ranks()];
    live.forEach(rank -> isLive[rank] = true);
    return without(IntStream.range(0, ranks()).filter(rank -> !isLive[rank]).toArray());
  }

  /** The mesh with these ranks failed. */
  public HoledMesh without(int... failed) {
    return new HoledMesh(this, Set.copyOf(Arrays.stream(failed).boxed().toList()));
  }

  /** The ranks of a block, by its first row and column and how many it has of each. */
  public int[] block(int firstRow, int firstColumn, int height, int width) {
    if (!contains(firstRow, firstColumn)
        || !contains(firstRow + height - 1, firstColumn + width - 1)
        || height < 1
        || width < 1) {
      throw new IllegalArgumentException(
          "block %d,%d+%dx%d is not in a mesh of %s"
              .formatted(firstRow, firstColumn, height, width, this));
    }
    return IntStream.range(0, height * width)
        .map(i -> rank(firstRow + i / width, firstColumn + i % width))
        .toArray();
  }

  /** As it is typed. */
  @Override
  public String toString() {
    return rows + "x" + columns;
  }
}
