/**
 * Averaging, or local SGD: every rank trains independently, and after every k batches the ranks
 * average their models.
 *
 * <pre>
 *   sums=tree      ParameterAveraging   all ranks take part, and are waited for
 *   sums=ft-tree   ElasticAveraging     the others continue without unreachable ranks
 * </pre>
 *
 * <p>Each computes its sums with an exchange of its own, whose rounds are the averages: {@link
 * dev.braid.exchange.allreduce.TreeAllreduce} or {@link dev.braid.exchange.fttree.BraidedTree}.
 */
package dev.braid.exchange.averaging;
