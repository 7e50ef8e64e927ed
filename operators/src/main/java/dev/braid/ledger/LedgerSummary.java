package dev.braid.ledger;

/**
 * What one subtask of the ledger has counted; element i of each array is about epoch i.
 *
 * @param subtask which subtask
 * @param subtasks how many there are
 * @param samples distinct samples that were used in the epoch
 * @param repeats further uses of samples that had been used in the epoch already
 * @param offsets what was used of a stream, whose samples have no epochs
 */
public record LedgerSummary(
    int subtask, int subtasks, long[] samples, long[] repeats, UsedOffsets offsets) {

  /** Sums of a finite data set. */
  public LedgerSummary(int subtask, int subtasks, long[] samples, long[] repeats) {
    this(subtask, subtasks, samples, repeats, UsedOffsets.NONE);
  }

  /** Sums of a stream, which one subtask has. */
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
