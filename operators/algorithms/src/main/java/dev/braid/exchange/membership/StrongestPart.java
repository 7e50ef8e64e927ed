package dev.braid.exchange.membership;

import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Determines which ranks continue after all ranks have fallen into parts that do not hear each
 * other: the strongest part. This is the largest part, and of equally large parts the one with the
 * lowest rank.
 *
 * <p>An {@link Arbiter} sees all parts. Of those with the model the strongest continues, even if it
 * has less than half of the ranks. A rank in a {@link RollCall} sees only its own part and decides
 * for itself. It continues if its part would be the strongest even if all other ranks formed one
 * part: if it is a majority, or half of the ranks including rank 0. In either case at most one part
 * continues.
 */
final class StrongestPart {

  /**
   * Order in which the stronger part is the greater one. Parts list their ranks in ascending order.
   */
  private static final Comparator<List<Integer>> STRENGTH =
      Comparator.<List<Integer>>comparingInt(List::size)
          .thenComparing(StrongestPart::lowest, Comparator.reverseOrder());

  private StrongestPart() {}

  private static int lowest(List<Integer> part) {
    return part.isEmpty() ? Integer.MAX_VALUE : part.get(0);
  }

  /** Returns the strongest of all parts; empty if there are no parts. */
  static Optional<List<Integer>> of(Collection<List<Integer>> parts) {
    return parts.stream().max(STRENGTH);
  }

  /**
   * Returns whether a part is the strongest in any case, even if all other ranks form one part.
   *
   * @param ranks number of ranks
   * @param part whether a rank is in the part
   */
  static boolean isMajority(int ranks, IntPredicate part) {
    BitSet in = new BitSet();
    BitSet out = new BitSet();
    for (int rank = 0; rank < ranks; rank++) {
      (part.test(rank) ? in : out).set(rank);
    }
    return STRENGTH.compare(list(in), list(out)) > 0;
  }

  private static List<Integer> list(BitSet ranks) {
    return ranks.stream().boxed().toList();
  }
}
