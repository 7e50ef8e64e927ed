package dev.braid.exchange.membership;

import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Which ranks go on where all have fallen into parts that do not hear each other: the larger part
 * of two, and of two that are as large the one with the lower lowest rank. So at most one part goes
 * on, whoever decides: one {@link Arbiter} that sees all parts, or each rank for itself in a {@link
 * RollCall}, which sees only its own.
 */
final class Majority {

  /** The part that goes on is the greater one. Parts name their ranks in ascending order. */
  private static final Comparator<List<Integer>> STRENGTH =
      Comparator.<List<Integer>>comparingInt(List::size)
          .thenComparing(Majority::lowest, Comparator.reverseOrder());

  private Majority() {}

  private static int lowest(List<Integer> part) {
    return part.isEmpty() ? Integer.MAX_VALUE : part.get(0);
  }

  /** Of all parts the one that goes on; empty where there is none. */
  static Optional<List<Integer>> among(Collection<List<Integer>> parts) {
    return parts.stream().max(STRENGTH);
  }

  /**
   * Whether some ranks go on whatever has become of the others: even if those are one part.
   *
   * @param ranks how many there are
   */
  static boolean holds(int ranks, IntPredicate part) {
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
