/**
 * Gradient codes: who computes which part of a gradient, with which coefficient, so that the sum
 * can be had without those who are late. Pure: no clock, no thread, and every random source is an
 * argument.
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
 * <p>A {@link dev.braid.coding.GradientCode} of n children that stands s stragglers cuts what its
 * parent has to hand out into parts, and gives each part to s + 1 children. Where s + 1 divides n
 * it is a {@link dev.braid.coding.RepetitionCode}: children of equal parts do the same work, and
 * the sum takes one of each, in the order of the parts. Such a sum has the same bits whoever
 * straggles. For other n and s it is a {@link dev.braid.coding.CyclicCode}, whose sums are equal up
 * to rounding, of no more children than it takes: the others repeat each other ({@link
 * dev.braid.coding.GroupedCode}). An {@link dev.braid.coding.Allocation} uses the same code at
 * every parent of a tree, on what is left of its samples when it has taken a share itself.
 *
 * <p>Which tree is best depends on how long gradients take: {@link dev.braid.coding.TimesOfRounds}
 * keep that, whatever share of a round each is of, for the planner in {@link dev.braid.cost}; a
 * {@link dev.braid.coding.TreeInUse} is what was chosen by them.
 */
package dev.braid.coding;
