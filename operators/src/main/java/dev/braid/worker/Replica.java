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
    int endedEpochs,
    EpochSums sums,
    byte[] exchangeState) {

  private static final byte[] NO_STATE = new byte[0];

  /**
   * Puts the parts together for one rank.
   *
   * <p>At the same number of ranks in each role, each gets back what was its own. At another
   * number, sums go to rank 0, so that their total stays right; where replicas differ, all begin
   * with their mean, and with the rounds of the one that had done most, so that no clock goes back.
   * As many workers as before, with other servers, go on where they were in the data.
   *
   * @param workers how many of the ranks compute
   * @throws IOException if parts are missing or do not fit together
   */
  static Replica of(List<ReplicaPart> unordered, int rank, int ranks, int workers)
      throws IOException {
    List<ReplicaPart> parts =
        unordered.stream().sorted(Comparator.comparingInt(ReplicaPart::rank)).toList();
    ReplicaPart first =
        parts.stream()
            .filter(ReplicaPart::isCurrent)
            .findFirst()
            .orElseThrow(() -> new IOException("the checkpoint has no worker's model"));
    if (parts.size() != first.ranks()) {
      throw new IOException(
          "the checkpoint has the state of " + parts.size() + " of " + first.ranks() + " workers");
    }
    Range whole = Range.ofLength(first.length());
    boolean differ = parts.stream().allMatch(part -> part.range().equals(whole));
    for (int i = 0; i < parts.size(); i++) {
      checkFits(first, parts.get(i), i);
    }
    if (!differ) {
      checkCovered(parts, whole);
    }
    if (ranks == first.ranks() && workers == first.workers()) {
      ReplicaPart own = parts.get(rank);
      return new Replica(
          differ ? own.parts() : joined(parts),
          differ ? own.steps() : first.steps(),
          own.completedRounds(),
          own.openEpoch(),
          own.endedEpochs(),
          own.sums(),
          own.exchangeState());
    }
    List<ReplicaPart> computed = parts.subList(0, first.workers());
    // Shards that are not cut anew go on where they were.
    boolean keepsShard = workers == first.workers() && rank < workers;
    List<ReplicaPart> read = keepsShard ? List.of(parts.get(rank)) : computed;
    return new Replica(
        differ ? mean(parts) : joined(parts),
        parts.stream()
            .filter(ReplicaPart::isCurrent)
            .mapToLong(ReplicaPart::steps)
            .max()
            .orElseThrow(),
        parts.stream().mapToLong(ReplicaPart::completedRounds).max().orElseThrow(),
        // A rank that computes nothing evaluates nothing.
        rank < workers ? openEpoch(read) : OptionalInt.empty(),
        endedEpochs(read),
        rank == 0 ? sums(parts) : EpochSums.NONE,
        NO_STATE);
  }

  /** Each rank's share of what is the same at all. */
  private static float[][] joined(List<ReplicaPart> parts) {
    ReplicaPart first = parts.get(0);
    float[][] vectors = new float[first.parts().length][first.length()];
    for (ReplicaPart part : parts) {
      for (int v = 0; v < vectors.length; v++) {
        System.arraycopy(
            part.parts()[v], 0, vectors[v], part.range().start(), part.range().length());
      }
    }
    return vectors;
  }

  private static float[][] mean(List<ReplicaPart> replicas) {
    ReplicaPart first = replicas.get(0);
    float[][] vectors = new float[first.parts().length][first.length()];
    for (int v = 0; v < vectors.length; v++) {
      for (int i = 0; i < first.length(); i++) {
        double sum = 0;
        for (ReplicaPart replica : replicas) {
          sum += replica.parts()[v][i];
        }
        vectors[v][i] = (float) (sum / replicas.size());
      }
    }
    return vectors;
  }

  /** Epochs that have ended at all ranks; of others, what is left is dealt anew, to all. */
  private static int endedEpochs(List<ReplicaPart> parts) {
    return parts.stream().mapToInt(ReplicaPart::endedEpochs).min().orElseThrow();
  }

  /** The last epoch that has ended at all ranks is open for all if it is for one. */
  private static OptionalInt openEpoch(List<ReplicaPart> parts) {
    int last = endedEpochs(parts) - 1;
    boolean open = parts.stream().anyMatch(part -> part.openEpoch().orElse(-1) == last);
    return last >= 0 && open ? OptionalInt.of(last) : OptionalInt.empty();
  }

  private static EpochSums sums(List<ReplicaPart> parts) {
    return parts.stream().map(ReplicaPart::sums).reduce(EpochSums.NONE, EpochSums::plus);
  }

  private static void checkFits(ReplicaPart first, ReplicaPart part, int rank) throws IOException {
    if (!part.quiet()) {
      throw new IOException("the checkpoint was taken while gradients were in flight");
    }
    if (part.rank() != rank
        || part.workers() != first.workers()
        || part.length() != first.length()
        || part.parts().length != first.parts().length) {
      throw new IOException(
          "the checkpoint's worker states do not fit together: rank "
              + part.rank()
              + " has "
              + part.parts().length
              + " vectors of "
              + part.length()
              + ", rank "
              + first.rank()
              + " has "
              + first.parts().length
              + " of "
              + first.length());
    }
  }

  /** Checks that every element is there once. */
  private static void checkCovered(List<ReplicaPart> parts, Range whole) throws IOException {
    int end = 0;
    for (Range range :
        parts.stream()
            .map(ReplicaPart::range)
            .filter(range -> !range.isEmpty())
            .sorted(Comparator.comparingInt(Range::start))
            .toList()) {
      if (range.start() != end) {
        throw new IOException(
            "the checkpoint's worker states do not fit together: " + range + " follows " + end);
      }
      end = range.end();
    }
    if (end != whole.end()) {
      throw new IOException(
          "the checkpoint has " + end + " of the model's " + whole.end() + " parameters");
    }
  }
}
