/**
 * The command {@code braid score}: a job that scores the records of a topic with published versions
 * of a model.
 *
 * <p>{@link dev.braid.job.score.ScoreCommand} turns options into the job. {@code ScoreJob} is the
 * job's graph: records, the operator of {@code dev.braid.api.score}, and a sink with transactions.
 * {@code EmbeddedScoring} runs it in this process.
 */
package dev.braid.job.score;
