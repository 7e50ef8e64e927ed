package dev.braid.ledger;

/**
 * The counts of one subtask of the ledger; element i of each array is about epoch i.
 *
 * @param subtask index of the subtask
 * @param subtasks number of subtasks
 * @param samples distinct samples that were used in the epoch
 * @param repeats further uses of samples that the epoch had already used
 * @param offsets used offsets of a stream, whose samples have no epochs
 */
public record LedgerSummary(
    int subtask, int subtasks, long[] samples, long[] repeats, UsedOffsets offsets) {

  /** Creates a summary for a finite data set. */
  public LedgerSummary(int subtask, int subtasks, long[] samples, long[] repeats) {
    this(subtask, subtasks, samples, repeats, UsedOffsets.NONE);
  }

  /** Creates a summary for a stream, for which there is one subtask. */
  static LedgerSummary of(UsedOffsets offsets) {
    return new LedgerSummary(0, 1, new long[0], new long[0], offsets);
  }

  public LedgerSummary {
    if (samples.length != repeats.length) {
      throw new IllegalArgumentException(
          samples.length
              + " sums of samples and "
              + repeats.length
              + " of repeats: must be equally many");
    }
  }
}
