package dev.braid.coding;

import java.util.BitSet;
import java.util.Optional;

/**
 * A code of n children of one parent, any s of whom may be late: what the parent has to hand out is
 * cut into {@link #parts()} of equal size, child i answers the sum of the parts' gradients, each
 * times {@link #coefficient B(i, part)}, and from any n − s answers the parent has the sum of all
 * ({@link #decoding}, a row of the papers' A).
 */
public sealed interface GradientCode permits RepetitionCode, CyclicCode {

  /**
   * The code for so many children and stragglers: repetition where s + 1 divides n, as its sums
   * have the same bits whoever straggles; else cyclic.
   *
   * @throws IllegalArgumentException if not 0 ≤ s < n
   */
  static GradientCode of(int children, int stragglers) {
    if (stragglers < 0 || stragglers >= children) {
      throw new IllegalArgumentException(
          "%d stragglers of %d children: from 0 to %d are possible"
              .formatted(stragglers, children, children - 1));
    }
    return children % (stragglers + 1) == 0
        ? new RepetitionCode(children, stragglers)
        : new CyclicCode(children, stragglers);
  }

  /** n. */
  int children();

  /** s. */
  int stragglers();

  /** Into how many parts what is handed out is cut. */
  int parts();

  /** Whether a child has a part. */
  boolean has(int child, int part);

  /** B(child, part): 0 where a child does not have the part. */
  double coefficient(int child, int part);

  /** How many parts each child has: what it is handed, in shares of {@link #parts()}. */
  int partsOfEach();

  /** Whether the sum follows from these answers. */
  boolean isDecodable(BitSet answered);

  /**
   * How the sum follows from these answers; empty if it does not yet. It does from any n − s, and
   * with repetition perhaps from fewer.
   *
   * @param answered the children that have answered
   */
  Optional<Decoding> decoding(BitSet answered);
}
