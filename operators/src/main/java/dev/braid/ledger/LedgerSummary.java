package dev.braid.ledger;

/**
 * What one subtask of the ledger has counted; element i of each array is about epoch i.
 *
 * @param subtask which subtask
 * @param subtasks how many there are
 * @param samples distinct samples that were used in the epoch
 * @param repeats further uses of samples that had been used in the epoch already
 */
public record LedgerSummary(int subtask, int subtasks, long[] samples, long[] repeats) {

  public LedgerSummary {
    if (samples.length != repeats.length) {
      throw new IllegalArgumentException(
          samples.length + " sums of samples and " + repeats.length + " of repeats");
    }
  }
}
