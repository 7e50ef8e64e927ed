package dev.braid.coding;

import java.util.BitSet;
import java.util.Optional;

/**
 * A code for the n children of one parent, of which any s may be late. The samples that the parent
 * hands out are cut into {@link #parts()} parts of equal size. Child i answers with the sum of its
 * parts' gradients, each multiplied by {@link #coefficient B(i, part)}. From any n − s answers the
 * parent decodes the sum of all gradients ({@link #decoding}, a row of the papers' A).
 */
public sealed interface GradientCode permits RepetitionCode, CyclicCode, GroupedCode {

  /**
   * Returns the code for the given number of children and stragglers. If s + 1 divides n, this is
   * repetition, whose sums have the same bits regardless of stragglers. Otherwise as many children
   * as possible use repetition and the rest a cyclic code; with fewer than 2(s + 1) children, all
   * of them use the cyclic code.
   *
   * @throws IllegalArgumentException unless {@code 0 ≤ s < n}
   */
  static GradientCode of(int children, int stragglers) {
    if (stragglers < 0 || stragglers >= children) {
      throw new IllegalArgumentException(
          "%d stragglers of %d children: must be 0 to %d"
              .formatted(stragglers, children, children - 1));
    }
    if (children % (stragglers + 1) == 0) {
      return new RepetitionCode(children, stragglers);
    }
    return children < 2 * (stragglers + 1L)
        ? new CyclicCode(children, stragglers)
        : new GroupedCode(children, stragglers);
  }

  /** Returns n, the number of children. */
  int children();

  /** Returns s, the number of stragglers that the code tolerates. */
  int stragglers();

  /** Returns the number of parts into which samples are cut: n in most codes. */
  default int parts() {
    return children();
  }

  /** Returns whether a child has a part. */
  boolean has(int child, int part);

  /** Returns B(child, part), which is 0 if the child does not have the part. */
  double coefficient(int child, int part);

  /** Returns the number of parts that each child has, of {@link #parts()}. */
  default int partsOfEach() {
    return stragglers() + 1;
  }

  /**
   * Returns the first sample of a part, for the given number of samples; for {@code part =
   * parts()}, the end of the last part. The numbers of samples handed to any two children differ by
   * at most 1.
   */
  default int boundary(int samples, int part) {
    return (int) ((long) samples * part / parts());
  }

  /** Returns the number of groups of children; each group has its own parts. */
  int groups();

  /** Returns the group of a child, from 0. */
  int group(int child);

  /**
   * Returns the number of answers from a group that suffice for the sum of its parts. Any of its
   * children can give them.
   */
  int needed(int group);

  /** Returns whether these answers suffice to decode the sum. */
  default boolean isDecodable(BitSet answered) {
    for (int group = 0; group < groups(); group++) {
      if (answers(group, answered) < needed(group)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether a child's answer helps to decode the sum, given the answers that have arrived.
   */
  default boolean isNeeded(BitSet answered, int child) {
    int group = group(child);
    return answers(group, answered) < needed(group);
  }

  private int answers(int group, BitSet answered) {
    return (int) answered.stream().filter(child -> group(child) == group).count();
  }

  /**
   * Returns the number of children whose answers need coefficients in decoding; 0 if all
   * coefficients are 1.
   */
  int cyclicChildren();

  /**
   * Returns how to decode the sum from these answers; empty if they do not suffice. Any n − s
   * answers do, and with several groups perhaps fewer.
   *
   * @param answered the children that have answered
   */
  Optional<Decoding> decoding(BitSet answered);
}
