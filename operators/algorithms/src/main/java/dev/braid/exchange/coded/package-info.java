/**
 * Exchanges whose sums do not wait for stragglers: CodedReduce on a tree; its one-layer case,
 * gradient coding; and the two exchanges that both are compared with.
 *
 * <p>Sources: Reisizadeh, Prakash, Pedarsani and Avestimehr, "CodedReduce: A Fast and Robust
 * Framework for Gradient Aggregation in Distributed Learning", IEEE/ACM Transactions on Networking,
 * 2021; Tandon, Lei, Dimakis and Karampatziakis, "Gradient Coding", ICML 2017. The codes are in
 * {@link dev.braid.coding}, and the tree is a {@link dev.braid.topology.RegularTree}.
 *
 * <pre>
 *   a round's samples: one batch of each worker's share, as in every exchange
 *         │ Allocation: each sample at several workers, with coefficients
 *         ▼
 *   worker: one linear combination of its samples' gradients
 *         │ Answer, chunk by chunk: own + what it decodes of its children
 *         ▼
 *   parent: from any n − s of n children (ChildAnswers, Decoder) ─── does not wait for stragglers
 *         │ Answer
 *         ▼
 *   master, at the root's rank: the sum of the round ── RoundSum ──▶ down the tree, to all workers
 * </pre>
 *
 * <p>{@link dev.braid.exchange.coded.CodedReduce} is one rank's state machine for all four
 * exchanges. Its {@code Rule} determines how a parent gets a sum from its children's answers:
 *
 * <table border="1">
 * <caption>exchanges</caption>
 * <tr><th>exchange</th><th>tree</th><th>rule</th><th>a worker's batch</th></tr>
 * <tr><td>{@code coded}</td><td>L layers</td><td>{@code DecodedSum}</td><td>allocated</td></tr>
 * <tr><td>{@code gradient-coding}</td><td>one layer</td><td>{@code DecodedSum}</td>
 * <td>allocated</td></tr>
 * <tr><td>{@code uncoded}</td><td>one layer</td><td>{@code FirstAnswers}, all of them</td>
 * <td>its own</td></tr>
 * <tr><td>{@code drop-stragglers}</td><td>one layer</td><td>{@code FirstAnswers}, N − S</td>
 * <td>its own</td></tr>
 * </table>
 *
 * <p>The page {@code docs/explanation/coded.md} explains rounds, load, rounding errors and plans.
 *
 * <p><b>Data.</b> The samples that a worker computes are decided where batches are made. With a
 * code ({@code ExchangeDescriptor.codes}) each worker's source has the shares of all workers, and
 * takes those samples of each round that the allocation gives to its worker. A checkpoint therefore
 * has the same positions as with any other exchange, and a run can resume with another exchange.
 * The run's first line reports the load r.
 *
 * <p><b>Stragglers.</b> A rank's model changes only in a round that it has entered, because it has
 * evaluated the previous epoch by then. Where a code tolerates stragglers, ranks exchange {@code
 * Entries}, which bound how far the others can be ahead of an unreachable rank. {@code
 * AnswerFigures} count used, late and missing answers.
 *
 * <p><b>A dedicated root</b> ({@code root=dedicated}) has no batches, and therefore neither rounds
 * of its own nor a model. Its checkpoints contain the number of complete rounds, and {@code
 * Entries} inform it where epochs end.
 *
 * <p><b>Change of the tree.</b> With {@code plan=auto}, {@link
 * dev.braid.exchange.coded.PlannedReduce} wraps a {@code CodedReduce}, and {@code PlanOfEpoch}
 * chooses the tree of the next epoch ({@link dev.braid.cost.CodedPlanner}). Sources hand out no
 * batch of that epoch before its tree is known ({@link dev.braid.exchange.participation.Planning}).
 *
 * <p><b>Bits.</b> With fractional repetition, children that stand in for each other answer with the
 * same bits, and a parent adds one answer for each part, in the order of the parts. The sum
 * therefore has the same bits regardless of stragglers ({@code CodeTree.isRepetition}).
 */
package dev.braid.exchange.coded;
