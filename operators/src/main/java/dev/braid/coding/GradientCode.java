package dev.braid.coding;

import java.util.BitSet;
import java.util.Optional;

/**
 * A code of n children of one parent, any s of whom may be late: what the parent has to hand out is
 * cut into {@link #parts()} of equal size, child i answers the sum of the parts' gradients, each
 * times {@link #coefficient B(i, part)}, and from any n − s answers the parent has the sum of all
 * ({@link #decoding}, a row of the papers' A).
 */
public sealed interface GradientCode permits RepetitionCode, CyclicCode, GroupedCode {

  /**
   * The code for so many children and stragglers: repetition where s + 1 divides n, as its sums
   * have the same bits whoever straggles; else repetition among as many as can be, and a cyclic
   * code among the rest, which is all of them where there are fewer than 2(s + 1).
   *
   * @throws IllegalArgumentException unless {@code 0 ≤ s < n}
   */
  static GradientCode of(int children, int stragglers) {
    if (stragglers < 0 || stragglers >= children) {
      throw new IllegalArgumentException(
          "%d stragglers of %d children: from 0 to %d are possible"
              .formatted(stragglers, children, children - 1));
    }
    if (children % (stragglers + 1) == 0) {
      return new RepetitionCode(children, stragglers);
    }
    return children < 2 * (stragglers + 1L)
        ? new CyclicCode(children, stragglers)
        : new GroupedCode(children, stragglers);
  }

  /** n. */
  int children();

  /** s. */
  int stragglers();

  /** Into how many parts what is handed out is cut: as many as there are children as a rule. */
  default int parts() {
    return children();
  }

  /** Whether a child has a part. */
  boolean has(int child, int part);

  /** B(child, part): 0 where a child does not have the part. */
  double coefficient(int child, int part);

  /** How many parts each child has: what it is handed, in shares of {@link #parts()}. */
  default int partsOfEach() {
    return stragglers() + 1;
  }

  /**
   * With which of so many samples a part begins; with the number of parts, where the last one ends.
   * Then what any two children are handed differs by one sample at most.
   */
  default int boundary(int samples, int part) {
    return (int) ((long) samples * part / parts());
  }

  /** Into how many groups the children are divided, of which each has parts of its own. */
  int groups();

  /** In which group a child is, from 0. */
  int group(int child);

  /** From how many answers of a group the sum of its parts follows, whoever's they are. */
  int needed(int group);

  /** Whether the sum follows from these answers. */
  default boolean isDecodable(BitSet answered) {
    for (int group = 0; group < groups(); group++) {
      if (answers(group, answered) < needed(group)) {
        return false;
      }
    }
    return true;
  }

  /** Whether an answer of a child is of use beside those that there are. */
  default boolean isNeeded(BitSet answered, int child) {
    int group = group(child);
    return answers(group, answered) < needed(group);
  }

  private int answers(int group, BitSet answered) {
    return (int) answered.stream().filter(child -> group(child) == group).count();
  }

  /** How many children have to be told apart by coefficients, to decode; 0 if all are 1. */
  int cyclicChildren();

  /**
   * How the sum follows from these answers; empty if it does not yet. It does from any n − s, and
   * perhaps from fewer where there are several groups.
   *
   * @param answered the children that have answered
   */
  Optional<Decoding> decoding(BitSet answered);
}
