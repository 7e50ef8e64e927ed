package dev.braid.loop.envelope;

/**
 * The key of one end of a loop, in one attempt to run it. A new attempt has a new key, so the
 * remains of an old attempt cannot reach it.
 *
 * @param job the job's id
 * @param loop the id of the loop's operator, unique within the job
 * @param subtask the worker's index, which is its rank
 * @param attempt number of the attempt to run the subtask, from 0
 */
public record LoopKey(String job, String loop, int subtask, int attempt) {}
