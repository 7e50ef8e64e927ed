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
 * Ranks in a grid of some dimensions, each linked to those before and behind it in each dimension
 * (Kumar and Jouppi 2020, §2 and §4). Ranks are counted with the last dimension first: in rows and
 * columns, row by row. A torus has a link from the last rank of each line to the first as well,
 * where the line has three ranks or more.
 *
 * <pre>
 *   2x4      0 ─ 1 ─ 2 ─ 3        torus:1x4    ┌─────────────┐
 *            │   │   │   │                     0 ─ 1 ─ 2 ─ 3 ┘
 *            4 ─ 5 ─ 6 ─ 7
 * </pre>
 *
 * <p>{@link #rows()}, {@link #columns()} and what goes by them take the last dimension for columns
 * and all others together for rows: what they say of links holds in two dimensions.
 *
 * @param sizes how many places each dimension has, at least 1
 * @param isTorus whether lines are closed
 */
public record Mesh(List<Integer> sizes, boolean isTorus) implements Serializable {

  /** So many that 65,536 ranks can be of two places in each. */
  private static final int MAX_DIMENSIONS = 16;

  private static final String TORUS = "torus:";
  private static final Pattern FORM =
      Pattern.compile("(torus:)?([0-9]{1,18}(?:x[0-9]{1,18}){1,31})");

  public Mesh {
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException(
          "a mesh of " + sizes + ": at least 1 place in each dimension is needed");
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

  /** A mesh of rows and columns. */
  public Mesh(int rows, int columns) {
    this(List.of(rows, columns), false);
  }

  /**
   * As it is typed: sizes of two dimensions or more with {@code x} between them, and before them
   * {@code torus:} for a torus.
   *
   * @throws IllegalArgumentException if it is not that
   */
  public static Mesh of(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "rows x columns are needed, such as 4x8, or more dimensions, such as 2x2x2, with torus: before"
              + " them for a torus");
    }
    List<Long> sizes = Arrays.stream(form.group(2).split("x")).map(Long::valueOf).toList();
    if (sizes.contains(0L)) {
      throw new IllegalArgumentException("at least 1 in each dimension is needed");
    }
    long ranks = 1;
    for (long size : sizes) {
      long tooMany = Integer.MAX_VALUE + 1L;
      ranks = Math.min(tooMany, ranks * Math.min(tooMany, size));
    }
    if (ranks > Integer.MAX_VALUE || sizes.size() > MAX_DIMENSIONS) {
      throw new IllegalArgumentException("a smaller mesh is needed");
    }
    return new Mesh(sizes.stream().map(Long::intValue).toList(), form.group(1) != null);
  }

  /** The mesh of so many ranks whose rows are nearly as many as its columns, and not more. */
  public static Mesh mostSquare(int ranks) {
    int rows = (int) Math.sqrt(ranks);
    while (rows > 1 && ranks % rows != 0) {
      rows--;
    }
    return new Mesh(Math.max(1, rows), ranks / Math.max(1, rows));
  }

  // ---- places ----------------------------------------------------------------------------------

  /** How many ranks there are. */
  public int ranks() {
    return product(sizes);
  }

  public int dimensions() {
    return sizes.size();
  }

  /** How many places a dimension has. */
  public int size(int dimension) {
    return sizes.get(dimension);
  }

  /** How far in numbers a rank is from the next in a dimension. */
  private int stride(int dimension) {
    int stride = 1;
    for (int i = dimension + 1; i < dimensions(); i++) {
      stride *= size(i);
    }
    return stride;
  }

  /** A rank's place in a dimension. */
  public int place(int rank, int dimension) {
    return rank / stride(dimension) % size(dimension);
  }

  /** The rank at these places, one for each dimension. */
  public int rankAt(List<Integer> places) {
    int rank = 0;
    for (int i = 0; i < dimensions(); i++) {
      rank = rank * size(i) + places.get(i);
    }
    return rank;
  }

  /** Whether there is a rank at these places. */
  public boolean contains(List<Integer> places) {
    return places.size() == dimensions()
        && IntStream.range(0, dimensions())
            .allMatch(i -> places.get(i) >= 0 && places.get(i) < size(i));
  }

  /** How many rows there are: places of all dimensions but the last. */
  public int rows() {
    return ranks() / columns();
  }

  /** How many ranks a row has. */
  public int columns() {
    return size(dimensions() - 1);
  }

  /** The row of a rank. */
  public int row(int rank) {
    return rank / columns();
  }

  /** The column of a rank. */
  public int column(int rank) {
    return rank % columns();
  }

  /** The rank in a row and a column. */
  public int rank(int row, int column) {
    return row * columns() + column;
  }

  /** Whether there is such a place. */
  public boolean contains(int row, int column) {
    return row >= 0 && row < rows() && column >= 0 && column < columns();
  }

  // ---- links -----------------------------------------------------------------------------------

  /** Whether lines along a dimension are closed by a link that they have not without. */
  public boolean isClosed(int dimension) {
    return isTorus && size(dimension) > 2;
  }

  /** How many links there are at least between two ranks. */
  public int distance(int one, int other) {
    return IntStream.range(0, dimensions()).map(i -> Math.abs(steps(one, other, i))).sum();
  }

  /** Over how many links in a dimension it is from one rank to another: backwards if negative. */
  private int steps(int from, int to, int dimension) {
    int steps = place(to, dimension) - place(from, dimension);
    int size = size(dimension);
    if (isClosed(dimension) && 2 * Math.abs(steps) > size) {
      return steps - Integer.signum(steps) * size;
    }
    return steps;
  }

  /** Whether two ranks have a link. */
  public boolean areNeighbours(int one, int other) {
    return distance(one, other) == 1;
  }

  /** The ranks that a rank has a link to, ascending. */
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

  /** The rank beside one in a dimension: the one before it for −1, and the one behind it for 1. */
  private int next(int rank, int dimension, int step) {
    int place = place(rank, dimension);
    return rank + (Math.floorMod(place + step, size(dimension)) - place) * stride(dimension);
  }

  /**
   * The ranks from one to another in dimension order: along the last dimension, then along the one
   * before it; of rows and columns, along the row first (Figure 1). Both ends are in it. On a torus
   * it goes the shorter way around each line.
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
   * The lines along a dimension. One is at the place in the list that its ranks have in the mesh
   * {@linkplain #across without} that dimension.
   */
  public List<int[]> lines(int dimension) {
    int stride = stride(dimension);
    return IntStream.range(0, ranks())
        .filter(rank -> place(rank, dimension) == 0)
        .mapToObj(
            first -> IntStream.range(0, size(dimension)).map(i -> first + i * stride).toArray())
        .toList();
  }

  /** The mesh of the lines along a dimension, which has one less. */
  public Mesh across(int dimension) {
    List<Integer> others = new ArrayList<>(sizes);
    others.remove(dimension);
    return new Mesh(others.isEmpty() ? List.of(1) : others, isTorus);
  }

  /** The same ranks without dimensions of one place; with one of these if there are no others. */
  public Mesh squeezed() {
    List<Integer> others = sizes.stream().filter(size -> size > 1).toList();
    return new Mesh(others.isEmpty() ? List.of(1) : others, isTorus);
  }

  /**
   * All ranks in rows of the last dimension's length, such that each rank has links to those beside
   * it in the row and in its column: the rows of all other dimensions are gone through to and fro.
   * So there is a mesh of rows and columns in one of any dimensions. In one of two it is the mesh.
   */
  public int[] inRows() {
    return IntStream.range(0, ranks())
        .map(i -> rowToAndFro(i / columns()) * columns() + i % columns())
        .toArray();
  }

  /** By a reflected code: of two that follow each other one place differs, by one. */
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

  /** The ranks of a block of rows and columns, by its first ones and how many it has of each. */
  public int[] block(int firstRow, int firstColumn, int height, int width) {
    return block(List.of(firstRow, firstColumn), List.of(height, width));
  }

  /**
   * The ranks of a block, ascending.
   *
   * @param first its first place in each dimension
   * @param extent how many places it has in each
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

  /** As it is typed. */
  @Override
  public String toString() {
    return (isTorus ? TORUS : "") + joined(sizes, "x");
  }
}
