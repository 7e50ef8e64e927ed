package dev.braid.exchange.membership;

import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Which ranks go on where all have fallen into parts that do not hear each other: the strongest
 * part, which is the largest, and of those that are as large the one with the lowest rank of all.
 *
 * <p>An {@link Arbiter} sees all parts, and of those that have the model the strongest goes on,
 * even if it is less than half of the ranks. A rank in a {@link RollCall} sees its own part only,
 * and decides for itself: it goes on where that is the strongest even if all others are one part,
 * which is to say, where it is a majority, or half of the ranks with rank 0 among them. So in
 * either case at most one part goes on.
 */
final class StrongestPart {

  /** The stronger part is the greater one. Parts name their ranks in ascending order. */
  private static final Comparator<List<Integer>> STRENGTH =
      Comparator.<List<Integer>>comparingInt(List::size)
          .thenComparing(StrongestPart::lowest, Comparator.reverseOrder());

  private StrongestPart() {}

  private static int lowest(List<Integer> part) {
    return part.isEmpty() ? Integer.MAX_VALUE : part.get(0);
  }

  /** The strongest of all parts; empty where there is none. */
  static Optional<List<Integer>> of(Collection<List<Integer>> parts) {
    return parts.stream().max(STRENGTH);
  }

  /**
   * Whether a part is the strongest whatever has become of the other ranks: even if those are one
   * part.
   *
   * @param ranks how many there are
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
