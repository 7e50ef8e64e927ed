package dev.braid.worker;

import dev.braid.vector.Range;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a rank goes on from, put together from the parts that all ranks of a checkpoint wrote.
 *
 * @param vectors the weights, then the updater's state
 */
record Replica(
    float[][] vectors,
    long steps,
    long completedRounds,
    OptionalInt openEpoch,
    EpochSums sums,
    byte[] exchangeState) {

  private static final byte[] NO_STATE = new byte[0];

  /**
   * Puts the parts together for one rank.
   *
   * <p>At the same number of ranks, each gets back what was its own. At another number, sums go to
   * rank 0, so that their total stays right.
   *
   * @throws IOException if parts are missing or do not fit together
   */
  static Replica of(List<ReplicaPart> unordered, int rank, int ranks) throws IOException {
    List<ReplicaPart> parts =
        unordered.stream().sorted(Comparator.comparingInt(ReplicaPart::rank)).toList();
    ReplicaPart first = parts.get(0);
    if (parts.size() != first.ranks()) {
      throw new IOException(
          "the checkpoint has the state of " + parts.size() + " of " + first.ranks() + " workers");
    }
    float[][] vectors = new float[first.parts().length][first.length()];
    EpochSums sums = EpochSums.NONE;
    for (int i = 0; i < parts.size(); i++) {
      ReplicaPart part = parts.get(i);
      checkFits(first, part, i);
      for (int v = 0; v < vectors.length; v++) {
        System.arraycopy(
            part.parts()[v], 0, vectors[v], part.range().start(), part.range().length());
      }
      sums = sums.plus(part.sums());
    }
    boolean sameRanks = ranks == first.ranks();
    EpochSums own = rank == 0 ? sums : EpochSums.NONE;
    return new Replica(
        vectors,
        first.steps(),
        first.completedRounds(),
        first.openEpoch(),
        sameRanks ? parts.get(rank).sums() : own,
        sameRanks ? parts.get(rank).exchangeState() : NO_STATE);
  }

  private static void checkFits(ReplicaPart first, ReplicaPart part, int rank) throws IOException {
    if (!part.quiet()) {
      throw new IOException("the checkpoint was taken while gradients were in flight");
    }
    if (part.rank() != rank
        || part.completedRounds() != first.completedRounds()
        || part.length() != first.length()
        || part.parts().length != first.parts().length
        || !part.range().equals(Range.ofLength(first.length()).part(rank, first.ranks()))) {
      throw new IOException(
          "the checkpoint's worker states do not fit together: rank "
              + part.rank()
              + " has "
              + part.completedRounds()
              + " rounds, rank "
              + first.rank()
              + " has "
              + first.completedRounds());
    }
  }
}
