/**
 * Judgement of a run that is over. {@link dev.braid.run.report.verdict.Conclusion} judges it by the
 * {@linkplain dev.braid.run.report.reported reports} of its ranks.
 *
 * <p>{@code Replicas} are compared bit for bit where all must be the same, else by their distance
 * and their accuracies. {@code LedgerVerdict} says whether each sample was used once in each epoch.
 */
package dev.braid.run.report.verdict;
