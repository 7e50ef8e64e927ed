/**
 * Says of every sample in which epoch and round it was used, and how often.
 *
 * <p>{@link dev.braid.ledger.Ledger#attach} is the way in. {@link dev.braid.ledger.UsageGrouper}
 * gathers what a worker used into entries by page, {@link dev.braid.ledger.LedgerOperator} keeps
 * the pages as keyed state, in the state backend that the job has chosen, and sums them up in a
 * {@link dev.braid.ledger.LedgerSummary} at the end.
 */
package dev.braid.ledger;
