package dev.braid.job.engine;

import dev.braid.job.console.UsageException;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.options.Validation;
import dev.braid.ledger.Ledger;
import org.apache.flink.configuration.MemorySize;

/**
 * Flink's network memory that a training job needs on a TaskManager: buffers for each channel
 * between tasks there and all others. The number of channels grows with that of links. With less
 * memory, Flink starts the job, fails for "insufficient number of network buffers", and restarts
 * it.
 *
 * @param ranks workers and servers together
 * @param chaos whether the job reads chaos events, which it broadcasts to all links
 */
public record NetworkMemory(int ranks, boolean chaos) {

  /** Sizes of buffers, which are smaller for more ranks, since these need more buffers. */
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

  /** Edges to the report: the workers' statuses, their models, and the ledger's result. */
  private static final int EDGES_TO_REPORT = 6;

  private static final int RESERVE = 64;

  /** Returns the network memory of a run. */
  public static NetworkMemory of(TrainOptions options) {
    return new NetworkMemory(options.ranks(), options.faults().chaos().isPresent());
  }

  /**
   * Returns the size of a buffer. Large buffers are faster, but many ranks need too many of them.
   */
  public MemorySize segment() {
    for (Segment segment : Segment.values()) {
      if (ranks <= segment.mostRanks) {
        return MemorySize.parse(segment.kibibytes + "kb");
      }
    }
    throw new AssertionError(ranks);
  }

  /**
   * Returns a sufficient number of buffers for a TaskManager.
   *
   * <p>The loop connects all ranks: a task has a channel from each rank and one to each, with three
   * buffers for the two, and eight floating buffers per gate. The ledger's edge connects all ranks
   * to each of its subtasks, and the report's edges connect them to one; these subtasks may run on
   * this TaskManager as on any other.
   *
   * @param slots number of ranks that it runs
   */
  public int buffers(int slots) {
    int here = Math.min(slots, ranks);
    int allToOne = 3 * ranks + 9;
    int loop = here * allToOne;
    int ledgers = Ledger.subtasks(ranks);
    int ledger = here * (ledgers + 1) + Math.min(here, ledgers) * (2 * ranks + 8);
    // Chaos events are broadcast from one task to all, with one channel per gate.
    int ofChaos = chaos ? 12 * here + 3 * allToOne + 16 : 0;
    return loop + ledger + EDGES_TO_REPORT * allToOne + ofChaos + RESERVE;
  }

  /** Returns the memory of these buffers, given the size of one. */
  public MemorySize size(int slots, MemorySize segment) {
    return segment.multiply(buffers(slots));
  }

  /**
   * Checks that one process can have this network memory, which is a part of Java's direct memory.
   *
   * @param most limit of the network memory
   * @throws UsageException if the limit is too low
   */
  void checkFits(MemorySize most) {
    MemorySize needed = size(ranks, segment());
    if (needed.compareTo(most) > 0) {
      throw Validation.tooLittleMemory(ranks, needed.getBytes(), most.getBytes());
    }
  }
}
