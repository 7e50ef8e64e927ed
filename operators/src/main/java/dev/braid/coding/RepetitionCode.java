package dev.braid.coding;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Fractional repetition (Tandon et al. 2017, §3.1): n/(s + 1) parts, each of which s + 1 children
 * have, and each child has one. All coefficients are 1, and children of the same part answer with
 * the same bits. So the sum, which takes one answer for each part in the order of the parts, has
 * the same bits whoever straggles.
 *
 * <p>Child i has part i mod n/(s + 1): children whose numbers are close, and who may share a
 * machine, have different parts.
 */
public record RepetitionCode(int children, int stragglers) implements GradientCode {

  public RepetitionCode {
    if (stragglers < 0 || children < 1 || children % (stragglers + 1) != 0) {
      throw new IllegalArgumentException(
          "%d children and %d stragglers: their number and one must divide that of the children"
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
  public double coefficient(int child, int part) {
    return child % parts() == part ? 1 : 0;
  }

  @Override
  public Optional<Decoding> decoding(BitSet answered) {
    int[] taken = new int[parts()];
    for (int part = 0; part < taken.length; part++) {
      int child = part;
      while (child < children && !answered.get(child)) {
        child += taken.length;
      }
      if (child >= children) {
        return Optional.empty();
      }
      taken[part] = child;
    }
    double[] ones = new double[taken.length];
    Arrays.fill(ones, 1);
    return Optional.of(new Decoding(taken, ones));
  }
}
