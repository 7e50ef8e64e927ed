package dev.braid.job.engine;

import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import dev.braid.ledger.Ledger;
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

  /** Where many ranks make many buffers, these are smaller: from the largest on. */
  private enum Segment {
    LARGE(16, 256),
    MIDDLE(32, 64),
    SMALL(64, 32),
    SMALLEST(Integer.MAX_VALUE, 16);

    private final int mostRanks;
    private final int kibibytes;

    Segment(int mostRanks, int kibibytes) {
      this.mostRanks = mostRanks;
      this.kibibytes = kibibytes;
    }
  }

  /** Of the report: what workers say of themselves, their model, and the ledger's word. */
  private static final int EDGES_TO_REPORT = 6;

  private static final int RESERVE = 64;

  /** What a run needs. */
  public static NetworkMemory of(TrainOptions options) {
    return new NetworkMemory(options.ranks(), options.chaos().isPresent());
  }

  /** How large a buffer should be. Large ones are fast; with many ranks there are too many. */
  public MemorySize segment() {
    for (Segment segment : Segment.values()) {
      if (ranks <= segment.mostRanks) {
        return MemorySize.parse(segment.kibibytes + "kb");
      }
    }
    throw new AssertionError(ranks);
  }

  /**
   * Buffers that are enough on a TaskManager.
   *
   * <p>The loop joins all with all: a task has a channel from each rank and one to each, at three
   * buffers for the two, and eight floating ones a gate. The ledger's edge joins all with as many
   * subtasks as it has, and the report's edges with one; those may be on this TaskManager as on any
   * other.
   *
   * @param slots how many of the ranks it runs
   */
  public int buffers(int slots) {
    int here = Math.min(slots, ranks);
    int allToOne = 3 * ranks + 9;
    int loop = here * allToOne;
    int ledgers = Ledger.subtasks(ranks);
    int ledger = here * (ledgers + 1) + Math.min(here, ledgers) * (2 * ranks + 8);
    // Chaos events go from one to all, at one channel a gate.
    int ofChaos = chaos ? 12 * here + 3 * allToOne + 16 : 0;
    return loop + ledger + EDGES_TO_REPORT * allToOne + ofChaos + RESERVE;
  }

  /** The memory of those buffers, at this size of each. */
  public MemorySize size(int slots, MemorySize segment) {
    return segment.multiply(buffers(slots));
  }

  /**
   * Checks that one process may have all of it, which is Java's direct memory.
   *
   * @param most how much of that it may have
   * @throws UsageException if that is less
   */
  void checkFits(MemorySize most) {
    MemorySize needed = size(ranks, segment());
    if (needed.compareTo(most) > 0) {
      throw Validation.tooLittleMemory(ranks, needed.getBytes(), most.getBytes());
    }
  }
}
