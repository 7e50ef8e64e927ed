package dev.braid.api.flow;

/**
 * Where a subtask is, as a checkpoint has it.
 *
 * @param partition the number of the subtask, which its records are counted under
 * @param nextRecord number of the next record
 * @param round the round of the oldest batch that is not used up; −1 of a subtask that there is not
 *     any more, whose records are counted on if it comes back
 */
public record FlowPosition(int partition, long nextRecord, long round) {

  /** Round of a subtask that there is not any more. */
  static final long GONE = -1;
}
