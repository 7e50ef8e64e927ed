/**
 * Sums that wait for no straggler: CodedReduce on a tree, its one-layer case, gradient coding, and
 * the two exchanges that both are compared with.
 *
 * <p>Sources: Reisizadeh, Prakash, Pedarsani and Avestimehr, "CodedReduce: A Fast and Robust
 * Framework for Gradient Aggregation in Distributed Learning", IEEE/ACM Transactions on Networking,
 * 2021; Tandon, Lei, Dimakis and Karampatziakis, "Gradient Coding", ICML 2017. The codes themselves
 * are in {@link dev.braid.coding}, and the tree is a {@link dev.braid.topology.RegularTree}.
 *
 * <pre>
 *   a round's samples: one batch of each worker's share, as in every exchange
 *         │ Allocation: each sample at several workers, with coefficients
 *         ▼
 *   worker: one linear combination of its samples' gradients
 *         │ ANSWER, chunk by chunk: own + what it decodes of its children
 *         ▼
 *   parent: from any n − s of n children (ChildAnswers, Decoder) ─── who is late is not waited for
 *         │ ANSWER
 *         ▼
 *   master, at the root's rank: the sum of the round ── SUM ──▶ down the same tree, to all workers
 * </pre>
 *
 * <p>All of it is in {@link dev.braid.exchange.coded.CodedReduce}, one rank's state machine; a
 * {@code Rule} says how the answers of a parent's children become a sum:
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
 * <p><b>Data.</b> What a worker computes is decided where batches are made: with a code ({@code
 * ExchangeDescriptor.codes}) each worker's source has the shares of all, and takes of each round's
 * samples those that the allocation gives it. So a round has the same samples as with any other
 * exchange, a checkpoint the same positions, and a run may go on under another exchange. Each
 * sample is in one worker's account, so that the ledger counts it once, however many compute it; r,
 * the share that each worker computes, is told in the run's first line.
 *
 * <p><b>Stragglers.</b> A sum may come while a rank still computes. Then its gradient is dropped,
 * and it goes on with the round that the others are in. Its model changes only in a round that it
 * has entered, as it has then evaluated the epoch before. {@code Entries}, which ranks tell each
 * other of where a code stands stragglers, bound how far the others may be ahead of a rank that
 * cannot be reached: its sums wait for it, at whoever sends them. A message that a link does not
 * carry goes around it over other ranks; nobody waits for it unless it is one of those that
 * decoding needs. If more than s children of a parent are late, it waits. {@code AnswerFigures}
 * count all that.
 *
 * <p><b>The root</b> is a worker, which then answers in two roles; or a rank of its own behind the
 * workers ({@code root=dedicated}), which has no batches, and so neither rounds of its own nor a
 * model: its checkpoints have the number of the last sum, and {@code Entries} tell it where epochs
 * end.
 *
 * <p><b>Another tree.</b> {@link dev.braid.exchange.coded.PlannedReduce} is around a {@code
 * CodedReduce} where trees are chosen anew at epochs' ends: all ranks tell the root how long
 * gradients took them, and {@code PlanOfEpoch} draws rounds from that ({@link
 * dev.braid.cost.CodedPlanner}). Sources hand out no batch of the next epoch before its tree is
 * known ({@link dev.braid.exchange.participation.Planning}).
 *
 * <p><b>Bits.</b> With fractional repetition, children who stand in for each other answer with the
 * same bits, and a parent adds one of each in the order of the parts: the sum has the same bits
 * whoever was late ({@code CodeTree.isRepetition}). Otherwise it is equal up to rounding; all
 * replicas have the same sum in any case.
 */
package dev.braid.exchange.coded;
