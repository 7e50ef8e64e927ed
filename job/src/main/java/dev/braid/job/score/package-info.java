/**
 * The command {@code braid score}: a job that scores the records of a topic with published versions
 * of a model. {@link dev.braid.job.score.ScoreCommand} leads from options to the job, and {@code
 * ScoreJob} is its graph: records, the operator of {@code dev.braid.api.score}, and a sink with
 * transactions. {@code EmbeddedScoring} runs it in this process.
 */
package dev.braid.job.score;
