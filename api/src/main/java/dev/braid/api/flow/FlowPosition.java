package dev.braid.api.flow;

/**
 * Position of a subtask, as a checkpoint stores it.
 *
 * @param partition number of the subtask under which its records are counted
 * @param nextRecord number of the next record
 * @param round round of the oldest batch that is not consumed; −1 for a subtask that does not exist
 *     in this job, whose count of records continues if it exists again
 */
public record FlowPosition(int partition, long nextRecord, long round) {

  /** Round of a subtask that does not exist in this job. */
  static final long GONE = -1;
}
