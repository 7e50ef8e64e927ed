package dev.braid.topology;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Ranks in a grid of one or more dimensions, each linked to the previous and the next rank in each
 * dimension (Kumar and Jouppi 2020, §2 and §4). Numbers of ranks increase along the last dimension
 * first: with rows and columns, row by row. A torus also has a link from the last rank of each line
 * to the first, if the line has three ranks or more.
 *
 * <pre>
 *   2x4      0 ─ 1 ─ 2 ─ 3        torus:1x4    ┌─────────────┐
 *            │   │   │   │                     0 ─ 1 ─ 2 ─ 3 ┘
 *            4 ─ 5 ─ 6 ─ 7
 * </pre>
 *
 * <p>{@link #rows()}, {@link #columns()} and methods with rows and columns treat the last dimension
 * as columns and all others together as rows. Their statements about links hold in two dimensions
 * only.
 *
 * @param sizes number of places in each dimension, at least 1
 * @param isTorus whether lines are closed to rings
 */
public record Mesh(List<Integer> sizes, boolean isTorus) implements Serializable {

  /** Maximum number of dimensions: 16 dimensions of two places each have 65,536 ranks. */
  private static final int MAX_DIMENSIONS = 16;

  private static final String TORUS = "torus:";
  private static final Pattern FORM =
      Pattern.compile("(torus:)?([0-9]{1,18}(?:x[0-9]{1,18}){1,31})");

  public Mesh {
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException(
          "a mesh of " + sizes + ": must have at least 1 place in each dimension");
    }
    product(sizes);
  }

  private static int product(List<Integer> sizes) {
    int product = 1;
    for (int size : sizes) {
      product = Math.multiplyExact(product, size);
    }
    return product;
  }

  /** Creates a mesh of rows and columns. */
  public Mesh(int rows, int columns) {
    this(List.of(rows, columns), false);
  }

  /**
   * Parses a mesh: the sizes of two or more dimensions with {@code x} between them, after {@code
   * torus:} for a torus.
   *
   * @throws IllegalArgumentException if the text is not a mesh, or the mesh is too large
   */
  public static Mesh of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "must be rows x columns, such as 4x8, or more dimensions, such as 2x2x2; a torus has "
              + "the prefix torus:");
    }
    List<Long> sizes = Arrays.stream(form.group(2).split("x")).map(Long::valueOf).toList();
    if (sizes.contains(0L)) {
      throw new IllegalArgumentException("must be at least 1 in each dimension");
    }
    long ranks = 1;
    for (long size : sizes) {
      long tooMany = Integer.MAX_VALUE + 1L;
      ranks = Math.min(tooMany, ranks * Math.min(tooMany, size));
    }
    if (ranks > Integer.MAX_VALUE || sizes.size() > MAX_DIMENSIONS) {
      throw new IllegalArgumentException("must be a smaller mesh");
    }
    return new Mesh(sizes.stream().map(Long::intValue).toList(), form.group(1) != null);
  }

  /**
   * Returns the mesh of the given number of ranks with the most rows that do not exceed its
   * columns.
   */
  public static Mesh mostSquare(int ranks) {
    int rows = (int) Math.sqrt(ranks);
    while (rows > 1 && ranks % rows != 0) {
      rows--;
    }
    return new Mesh(Math.max(1, rows), ranks / Math.max(1, rows));
  }

  // ---- places ----------------------------------------------------------------------------------

  /** Returns the number of ranks. */
  public int ranks() {
    return product(sizes);
  }

  public int dimensions() {
    return sizes.size();
  }

  /** Returns the number of places in a dimension. */
  public int size(int dimension) {
    return sizes.get(dimension);
  }

  /** Returns the difference between the numbers of successive ranks in a dimension. */
  private int stride(int dimension) {
    int stride = 1;
    for (int i = dimension + 1; i < dimensions(); i++) {
      stride *= size(i);
    }
    return stride;
  }

  /** Returns a rank's place in a dimension, from 0. */
  public int place(int rank, int dimension) {
    return rank / stride(dimension) % size(dimension);
  }

  /** Returns the rank at the given places, one for each dimension. */
  public int rankAt(List<Integer> places) {
    int rank = 0;
    for (int i = 0; i < dimensions(); i++) {
      rank = rank * size(i) + places.get(i);
    }
    return rank;
  }

  /** Returns whether there is a rank at the given places. */
  public boolean contains(List<Integer> places) {
    return places.size() == dimensions()
        && IntStream.range(0, dimensions())
            .allMatch(i -> places.get(i) >= 0 && places.get(i) < size(i));
  }

  /** Returns the number of rows: the product of the sizes of all dimensions but the last. */
  public int rows() {
    return ranks() / columns();
  }

  /** Returns the number of ranks in a row. */
  public int columns() {
    return size(dimensions() - 1);
  }

  /** Returns the row of a rank. */
  public int row(int rank) {
    return rank / columns();
  }

  /** Returns the column of a rank. */
  public int column(int rank) {
    return rank % columns();
  }

  /** Returns the rank at a row and a column. */
  public int rank(int row, int column) {
    return row * columns() + column;
  }

  /** Returns whether the row and the column exist. */
  public boolean contains(int row, int column) {
    return row >= 0 && row < rows() && column >= 0 && column < columns();
  }

  // ---- links -----------------------------------------------------------------------------------

  /**
   * Returns whether the lines along a dimension are closed by an additional link, as in a torus
   * with three or more places.
   */
  public boolean isClosed(int dimension) {
    return isTorus && size(dimension) > 2;
  }

  /** Returns the minimum number of links between two ranks. */
  public int distance(int one, int other) {
    return IntStream.range(0, dimensions()).map(i -> Math.abs(steps(one, other, i))).sum();
  }

  /**
   * Returns the number of links in a dimension from one rank to another; negative if they lead
   * backwards.
   */
  private int steps(int from, int to, int dimension) {
    int steps = place(to, dimension) - place(from, dimension);
    int size = size(dimension);
    if (isClosed(dimension) && 2 * Math.abs(steps) > size) {
      return steps - Integer.signum(steps) * size;
    }
    return steps;
  }

  /** Returns whether two ranks have a link to each other. */
  public boolean areNeighbours(int one, int other) {
    return distance(one, other) == 1;
  }

  /** Returns the ranks that a rank has a link to, ascending. */
  public int[] neighbours(int rank) {
    return IntStream.range(0, dimensions())
        .flatMap(
            i ->
                IntStream.of(-1, 1)
                    .filter(step -> hasNext(rank, i, step))
                    .map(step -> next(rank, i, step)))
        .sorted()
        .toArray();
  }

  private boolean hasNext(int rank, int dimension, int step) {
    int place = place(rank, dimension) + step;
    return isClosed(dimension) || (place >= 0 && place < size(dimension));
  }

  /**
   * Returns the previous rank in a dimension for a step of −1, and the next rank for a step of 1.
   */
  private int next(int rank, int dimension, int step) {
    int place = place(rank, dimension);
    return rank + (Math.floorMod(place + step, size(dimension)) - place) * stride(dimension);
  }

  /**
   * Returns the ranks from one to another in dimension order, both ends included: along the last
   * dimension, then along the one before it. With rows and columns the route is along the row first
   * (Figure 1). On a torus it goes the shorter way around each line.
   */
  public int[] route(int from, int to) {
    int[] route = new int[distance(from, to) + 1];
    route[0] = from;
    int length = 1;
    for (int dimension = dimensions() - 1; dimension >= 0; dimension--) {
      int steps = steps(from, to, dimension);
      for (int i = 0; i < Math.abs(steps); i++) {
        route[length] = next(route[length - 1], dimension, Integer.signum(steps));
        length++;
      }
    }
    return route;
  }

  // ---- lines -----------------------------------------------------------------------------------

  /**
   * Returns the lines along a dimension. The index of a line is its rank in the mesh {@linkplain
   * #across without} that dimension.
   */
  public List<int[]> lines(int dimension) {
    int stride = stride(dimension);
    return IntStream.range(0, ranks())
        .filter(rank -> place(rank, dimension) == 0)
        .mapToObj(
            first -> IntStream.range(0, size(dimension)).map(i -> first + i * stride).toArray())
        .toList();
  }

  /** Returns the mesh of the lines along a dimension, which has one dimension fewer. */
  public Mesh across(int dimension) {
    List<Integer> others = new ArrayList<>(sizes);
    others.remove(dimension);
    return new Mesh(others.isEmpty() ? List.of(1) : others, isTorus);
  }

  /**
   * Returns the mesh without its dimensions of one place; one such dimension remains if there are
   * no others.
   */
  public Mesh squeezed() {
    List<Integer> others = sizes.stream().filter(size -> size > 1).toList();
    return new Mesh(others.isEmpty() ? List.of(1) : others, isTorus);
  }

  /**
   * Returns all ranks in rows of the last dimension's length, such that each rank has links to its
   * neighbours in the row and in its column. To this end the rows of all other dimensions are
   * traversed to and fro. Every mesh of more than two dimensions therefore contains a mesh of rows
   * and columns; a mesh of two dimensions is returned in its own order.
   */
  public int[] inRows() {
    return IntStream.range(0, ranks())
        .map(i -> rowToAndFro(i / columns()) * columns() + i % columns())
        .toArray();
  }

  /**
   * Returns the row at an index of a reflected code: two successive rows differ by one in one
   * place.
   */
  private int rowToAndFro(int index) {
    int row = 0;
    for (int i = 0; i + 1 < dimensions(); i++) {
      int stride = stride(i) / columns();
      int digit = index / stride % size(i);
      boolean isBackwards = index / stride / size(i) % 2 == 1;
      row = row * size(i) + (isBackwards ? size(i) - 1 - digit : digit);
    }
    return row;
  }

  // ---- holes -----------------------------------------------------------------------------------

  /** Returns this mesh with no failed ranks. */
  public HoledMesh whole() {
    return new HoledMesh(this, Set.of());
  }

  /** Returns this mesh with only the given ranks left. */
  public HoledMesh only(List<Integer> live) {
    boolean[] isLive = new boolean[ranks()];
    live.forEach(rank -> isLive[rank] = true);
    return without(IntStream.range(0, ranks()).filter(rank -> !isLive[rank]).toArray());
  }

  /** Returns this mesh with the given ranks failed. */
  public HoledMesh without(int... failed) {
    return new HoledMesh(this, Set.copyOf(Arrays.stream(failed).boxed().toList()));
  }

  /** Returns the ranks of a block of rows and columns, ascending. */
  public int[] block(int firstRow, int firstColumn, int height, int width) {
    return block(List.of(firstRow, firstColumn), List.of(height, width));
  }

  /**
   * Returns the ranks of a block, ascending.
   *
   * @param first the block's first place in each dimension
   * @param extent number of the block's places in each dimension
   * @throws IllegalArgumentException if the block is not in the mesh
   */
  public int[] block(List<Integer> first, List<Integer> extent) {
    List<Integer> last = new ArrayList<>();
    boolean fits = first.size() == extent.size() && extent.stream().allMatch(places -> places > 0);
    for (int i = 0; fits && i < first.size(); i++) {
      last.add(first.get(i) + extent.get(i) - 1);
    }
    if (!fits || !contains(first) || !contains(last)) {
      throw new IllegalArgumentException(
          "block %s+%s is not in a mesh of %s"
              .formatted(joined(first, ","), joined(extent, "x"), this));
    }
    return IntStream.range(0, ranks())
        .filter(
            rank ->
                IntStream.range(0, dimensions())
                    .allMatch(i -> place(rank, i) >= first.get(i) && place(rank, i) <= last.get(i)))
        .toArray();
  }

  private static String joined(List<Integer> numbers, String between) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(between));
  }

  /** Returns the mesh in the form that {@link #of} parses. */
  @Override
  public String toString() {
    return (isTorus ? TORUS : "") + joined(sizes, "x");
  }
}
