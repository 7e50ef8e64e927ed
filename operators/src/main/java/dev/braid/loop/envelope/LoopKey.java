package dev.braid.loop.envelope;

/**
 * One end of a loop, in one attempt to run it. A new attempt has a new key, so what an old one left
 * behind can never reach it.
 *
 * @param job the job's id
 * @param loop the id of the loop's operator, unique within the job
 * @param subtask the worker's index, its rank
 * @param attempt which attempt to run the subtask this is, from 0
 */
public record LoopKey(String job, String loop, int subtask, int attempt) {}
