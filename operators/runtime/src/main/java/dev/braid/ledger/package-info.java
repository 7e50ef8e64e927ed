/**
 * A ledger of every sample: the epochs and rounds that used it, and the number of its uses.
 *
 * <p>{@link dev.braid.ledger.Ledger#attach} adds the ledger to a job. {@link
 * dev.braid.ledger.UsageGrouper} groups a worker's uses by page. {@link
 * dev.braid.ledger.LedgerOperator} keeps the pages as keyed state, in the state backend that the
 * job has chosen, and sums them up in a {@link dev.braid.ledger.LedgerSummary} at the end.
 */
package dev.braid.ledger;
