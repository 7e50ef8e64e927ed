package dev.braid.coding;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Fractional repetition (Tandon et al. 2017, §3.1): there are n/(s + 1) parts, and s + 1 children
 * have each part. Each child has one part, and all coefficients are 1. Children of the same part
 * answer with the same bits. The sum takes one answer for each part, in the order of the parts, and
 * therefore has the same bits regardless of stragglers.
 *
 * <p>Child i has part i mod n/(s + 1): children with adjacent numbers, which may share a machine,
 * have different parts.
 */
public record RepetitionCode(int children, int stragglers) implements GradientCode {

  public RepetitionCode {
    if (stragglers < 0 || children < 1 || children % (stragglers + 1) != 0) {
      throw new IllegalArgumentException(
          "%d children (n) and %d stragglers (s): n must be a multiple of s + 1"
              .formatted(children, stragglers));
    }
  }

  @Override
  public int parts() {
    return children / (stragglers + 1);
  }

  @Override
  public int partsOfEach() {
    return 1;
  }

  @Override
  public boolean has(int child, int part) {
    return child % parts() == part;
  }

  @Override
  public double coefficient(int child, int part) {
    return has(child, part) ? 1 : 0;
  }

  @Override
  public int groups() {
    return parts();
  }

  @Override
  public int group(int child) {
    return child % parts();
  }

  @Override
  public int needed(int group) {
    return 1;
  }

  @Override
  public int cyclicChildren() {
    return 0;
  }

  /**
   * Returns the first child of a group that has answered. Child i is in group i mod {@code groups}.
   */
  static int first(int group, int groups, BitSet answered) {
    int child = group;
    while (!answered.get(child)) {
      child += groups;
    }
    return child;
  }

  @Override
  public Optional<Decoding> decoding(BitSet answered) {
    if (!isDecodable(answered)) {
      return Optional.empty();
    }
    int[] taken = new int[parts()];
    Arrays.setAll(taken, part -> first(part, parts(), answered));
    double[] ones = new double[taken.length];
    Arrays.fill(ones, 1);
    return Optional.of(new Decoding(taken, ones));
  }
}
