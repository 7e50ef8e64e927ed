package dev.braid.exchange;

/**
 * What a parent in a coded exchange has made of its workers' answers so far (CodedReduce §III-B).
 * Of a rank that has workers below it in two roles, as a worker and as the master, both together.
 *
 * @param stragglers workers below it who had not answered when a round's sum was there, over all
 *     rounds that have ended
 * @param lateMessages answers, a chunk each, that came when they were not needed any more
 * @param decodedSets how many different sets of workers the sums of rounds were made of
 * @param sums how many rounds' sums were made here
 * @param sumNanos time from the last that such a sum needed to the end of its round, over all
 *     rounds; the last is an answer, or, where that comes later, the rank's own gradient
 * @param messageSeconds how long it takes to receive one answer, t_c; 0 while it is not known, as
 *     where a vector is one chunk
 */
public record DecodingUse(
    long stragglers,
    long lateMessages,
    int decodedSets,
    long sums,
    long sumNanos,
    double messageSeconds) {

  /** Of a rank with nobody below it. */
  public static final DecodingUse NONE = new DecodingUse(0, 0, 0, 0, 0, 0);
}
