/**
 * Gradient codes: the assignment of parts of a gradient to workers, with coefficients, so that the
 * sum can be computed without the stragglers' answers. The package has no clock and no thread.
 *
 * <p>Sources: Tandon, Lei, Dimakis and Karampatziakis, "Gradient Coding: Avoiding Stragglers in
 * Distributed Learning", ICML 2017; Reisizadeh, Prakash, Pedarsani and Avestimehr, "CodedReduce",
 * IEEE/ACM Transactions on Networking, 2021.
 *
 * <pre>
 *   samples of a round ── Allocation ──▶ each worker's pieces, with coefficients
 *                            ▲                        │ one gradient a worker
 *                       GradientCode                  ▼
 *                            └── decoding(answers) ──▶ the sum, at each parent of a RegularTree
 * </pre>
 *
 * <p>A {@link dev.braid.coding.GradientCode} of n children that tolerates s stragglers cuts the
 * samples of its parent into parts, and gives each part to s + 1 children. If s + 1 divides n, it
 * is a {@link dev.braid.coding.RepetitionCode}: children of equal parts do the same work, and the
 * sum takes one answer for each part, in the order of the parts. Such a sum has the same bits
 * regardless of stragglers. For other n and s it is a {@link dev.braid.coding.CyclicCode}, whose
 * sums are equal up to rounding. Only as many children as necessary use the cyclic code; the others
 * repeat each other ({@link dev.braid.coding.GroupedCode}). An {@link dev.braid.coding.Allocation}
 * applies the same code at every parent of a tree, to the samples that are left after the parent
 * has kept its own share.
 *
 * <p>Which tree is best depends on how long gradients take. {@link dev.braid.coding.TimesOfRounds}
 * records that, independently of each gradient's share of a round, for the planner in {@link
 * dev.braid.cost}. A {@link dev.braid.coding.TreeInUse} is the planner's choice.
 */
package dev.braid.coding;
