package dev.braid.coding;

import dev.braid.topology.RegularTree;
import java.util.ArrayList;
import java.util.List;

/**
 * The samples of a round that each worker computes, with their coefficients (CodedReduce,
 * Algorithms 1 and 2). A parent cuts the samples that it hands out into the parts of its code. Each
 * child's subtree gets the parts of the child's row of B; the child keeps the first samples for
 * itself ({@link Loads}) and hands out the rest. The master keeps none.
 *
 * <p>In the paper the samples are a whole data set in each round; with mini-batches they are those
 * of the round's batch.
 */
public final class Allocation {

  private final List<List<Piece>> pieces = new ArrayList<>();
  private final CodeTree codes;
  private final Loads loads;
  private final boolean hasCoefficients;

  /**
   * Allocates the samples 0 to {@code samples} − 1.
   *
   * @param samples number of samples in a round, at least 1
   * @throws IllegalArgumentException if there are fewer
   */
  public Allocation(CodeTree codes, int samples) {
    this(codes, samples, true);
  }

  private Allocation(CodeTree codes, int samples, boolean hasCoefficients) {
    if (samples < 1) {
      throw new IllegalArgumentException(samples + " samples in a round: must be at least 1");
    }
    this.codes = codes;
    this.loads = new Loads(codes, samples);
    this.hasCoefficients = hasCoefficients;
    for (int worker = 0; worker < codes.tree().workers(); worker++) {
      pieces.add(List.of());
    }
    handOut(RegularTree.MASTER, List.of(new Piece(0, samples, 1)));
  }

  /**
   * Allocates the same samples to the same workers with coefficients of 1, for callers that need
   * only numbers of samples. The coefficients of a code with many children take long to find.
   */
  public static Allocation sizes(CodeTree codes, int samples) {
    return new Allocation(codes, samples, false);
  }

  /**
   * Returns the samples that a worker computes, in the order in which their gradients are added.
   */
  public List<Piece> of(int worker) {
    return pieces.get(worker);
  }

  /** Returns the number of samples that a worker computes. */
  public int load(int worker) {
    return size(of(worker));
  }

  /** Returns the largest number of samples that any worker computes. */
  public int mostLoad() {
    return loads.most();
  }

  /** Returns the smallest number of samples that any worker computes. */
  public int leastLoad() {
    return pieces.stream().mapToInt(Allocation::size).min().orElseThrow();
  }

  private void handOut(int parent, List<Piece> handed) {
    int[] children = codes.childrenOf(parent);
    if (children.length == 0) {
      return;
    }
    GradientCode code = codes.codeOf(parent);
    int samples = size(handed);
    for (int i = 0; i < children.length; i++) {
      List<Piece> ofSubtree = new ArrayList<>();
      for (int part = 0; part < code.parts(); part++) {
        if (code.has(i, part)) {
          double coefficient = hasCoefficients ? code.coefficient(i, part) : 1;
          int start = code.boundary(samples, part);
          int end = code.boundary(samples, part + 1);
          ofSubtree.addAll(cut(handed, start, end, coefficient));
        }
      }
      int size = size(ofSubtree);
      int own = loads.own(children[i], size);
      pieces.set(children[i], cut(ofSubtree, 0, own, 1));
      handOut(children[i], cut(ofSubtree, own, size, 1));
    }
  }

  private static int size(List<Piece> pieces) {
    return pieces.stream().mapToInt(Piece::size).sum();
  }

  /**
   * Returns the samples from position {@code start} to before {@code end} of a list, with their
   * coefficients multiplied by a factor.
   */
  private static List<Piece> cut(List<Piece> from, int start, int end, double coefficient) {
    List<Piece> cut = new ArrayList<>();
    int place = 0;
    for (Piece piece : from) {
      int first = piece.start() + Math.max(0, start - place);
      int last = piece.start() + Math.min(piece.size(), end - place);
      if (first < last) {
        cut.add(new Piece(first, last, coefficient * piece.coefficient()));
      }
      place += piece.size();
    }
    return cut;
  }
}
