/**
 * What a run that is over amounts to: {@link dev.braid.run.report.verdict.Conclusion} judges it by
 * what has been {@linkplain dev.braid.run.report.reported reported}.
 *
 * <p>{@code Replicas} are compared, bit for bit where all must be the same, and else by their
 * distance and their accuracies; {@code LedgerVerdict} says whether each sample was used once in
 * each epoch.
 */
package dev.braid.run.report.verdict;
