package dev.braid.coding;

import dev.braid.topology.RegularTree;
import java.util.ArrayList;
import java.util.List;

/**
 * Which samples of a round each worker computes, with which coefficients (CodedReduce, Algorithms 1
 * and 2): a parent cuts what it has to hand out into the parts of its code, each child's subtree
 * gets the parts of its row of B, the child keeps the first of them for itself ({@link Loads}), and
 * hands on the rest. The master keeps none.
 *
 * <p>The same for a whole data set in each round, as in the paper, and for mini-batches: then the
 * samples are those of the round's batch.
 */
public final class Allocation {

  private final List<List<Piece>> pieces = new ArrayList<>();
  private final CodeTree codes;
  private final Loads loads;
  private final boolean hasCoefficients;

  /**
   * Allocates the samples 0 to {@code samples} − 1.
   *
   * @param samples of a round, at least 1
   */
  public Allocation(CodeTree codes, int samples) {
    this(codes, samples, true);
  }

  private Allocation(CodeTree codes, int samples, boolean hasCoefficients) {
    if (samples < 1) {
      throw new IllegalArgumentException(samples + " samples in a round: at least 1 is needed");
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
   * The same samples at the same workers, each times 1: for who asks only how many there are. The
   * coefficients of a code of many children take long to find.
   */
  public static Allocation sizes(CodeTree codes, int samples) {
    return new Allocation(codes, samples, false);
  }

  /** What a worker computes, in the order in which its gradients are added up. */
  public List<Piece> of(int worker) {
    return pieces.get(worker);
  }

  /** How many samples a worker computes. */
  public int load(int worker) {
    return size(of(worker));
  }

  /** How many a worker computes at most. */
  public int mostLoad() {
    return loads.most();
  }

  /** How many a worker computes at least. */
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

  /** The samples from one place on to another, times a coefficient. */
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
