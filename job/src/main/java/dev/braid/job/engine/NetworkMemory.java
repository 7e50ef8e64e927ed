package dev.braid.job.engine;

import dev.braid.job.options.TrainOptions;
import org.apache.flink.configuration.MemorySize;

/**
 * How much of Flink's network memory a training needs on a TaskManager: buffers for each channel
 * between its tasks there and all others, of which the number grows with that of links. With fewer,
 * Flink starts the job, fails for "insufficient number of network buffers", and starts it again.
 *
 * @param ranks workers and servers in all
 * @param chaos whether chaos events are read, and told to all links
 */
public record NetworkMemory(int ranks, boolean chaos) {

  /** Where many ranks make many buffers, these are smaller. */
  private static final int MOST_RANKS_OF_LARGE_SEGMENTS = 16;

  private static final int MOST_RANKS_OF_MIDDLE_SEGMENTS = 32;

  /** Of the report: what workers say of themselves, their model, and the ledger's word. */
  private static final int EDGES_TO_REPORT = 6;

  private static final int RESERVE = 64;

  /** What a run needs. */
  public static NetworkMemory of(TrainOptions options) {
    return new NetworkMemory(options.ranks(), options.chaos().isPresent());
  }

  /** How large a buffer should be. Large ones are fast; with many ranks there are too many. */
  public MemorySize segment() {
    int kibibytes =
        ranks <= MOST_RANKS_OF_LARGE_SEGMENTS
            ? 256
            : ranks <= MOST_RANKS_OF_MIDDLE_SEGMENTS ? 64 : 32;
    return MemorySize.parse(kibibytes + "kb");
  }

  /**
   * Buffers that are enough on a TaskManager.
   *
   * <p>The loop and the ledger's edge join all with all: a task has a channel from each rank and
   * one to each, at three buffers for the two, and eight floating ones a gate. The report's edges
   * join all with one, which may be on this TaskManager as on any other.
   *
   * @param slots how many of the ranks it runs
   */
  public int buffers(int slots) {
    int here = Math.min(slots, ranks);
    int allToAll = here * (3 * ranks + 9);
    int allToOne = 3 * ranks + 9;
    // Chaos events go from one to all, at one channel a gate.
    int ofChaos = chaos ? 12 * here + 3 * allToOne + 16 : 0;
    return 2 * allToAll + EDGES_TO_REPORT * allToOne + ofChaos + RESERVE;
  }

  /** The memory of those buffers, at this size of each. */
  public MemorySize size(int slots, MemorySize segment) {
    return segment.multiply(buffers(slots));
  }
}
