/**
 * What exchanges promise, watched while a simulation runs: at the update that breaks a promise, and
 * not by a model that is wrong in the end.
 *
 * <p>An {@link dev.braid.chaos.sim.check.UpdateCheck} is told of everything that a rank
 * contributes, receives and applies, of rounds and views, and throws where it is not as it has to
 * be. One run has one check, which sees all ranks:
 *
 * <table>
 * <caption>Promises, by the kind of exchange</caption>
 * <tr><td>{@link dev.braid.chaos.sim.check.ExactRoundSums}</td>
 * <td>synchronous: in every round every rank gets the sum over all ranks, each element once</td></tr>
 * <tr><td>{@link dev.braid.chaos.sim.check.ViewSums}</td>
 * <td>synchronous, with ranks left out: the sum over the members of the round's view; a gradient
 * counts for its rank if, and only if, it is in the sum</td></tr>
 * <tr><td>{@link dev.braid.chaos.sim.check.GradientDelivery}</td>
 * <td>asynchronous: every gradient reaches every replica exactly once, after a bounded number of
 * rounds; {@code Deliveries} says in which order messages reach the exchange</td></tr>
 * </table>
 *
 * <p>They know what is right from the same {@code Gradients} that the ranks compute, added up in a
 * plain loop, and so share no code with the exchanges that they watch.
 */
package dev.braid.chaos.sim.check;
