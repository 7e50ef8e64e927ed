/**
 * Checks of the guarantees of exchanges while a simulation runs. A check fails at the update that
 * breaks a guarantee, instead of at the end because of a wrong model.
 *
 * <p>An {@link dev.braid.chaos.sim.check.UpdateCheck} is called for everything that a rank
 * contributes, receives and applies, for rounds and for views, and throws if something is wrong.
 * One run has one check, which sees all ranks:
 *
 * <table>
 * <caption>Guarantees, by the kind of exchange</caption>
 * <tr><td>{@link dev.braid.chaos.sim.check.ExactRoundSums}</td>
 * <td>synchronous: in every round every rank gets the sum over all ranks, each element once</td></tr>
 * <tr><td>{@link dev.braid.chaos.sim.check.ViewSums}</td>
 * <td>synchronous, with excluded ranks: the sum over the members of the round's view; a gradient
 * counts for its rank if, and only if, it is in the sum</td></tr>
 * <tr><td>{@link dev.braid.chaos.sim.check.GradientDelivery}</td>
 * <td>asynchronous: every gradient reaches every replica exactly once, after a bounded number of
 * rounds; {@code Deliveries} is the order in which messages reach the exchange</td></tr>
 * </table>
 *
 * <p>The checks derive the right results from the same {@code Gradients} that the ranks compute,
 * added up in a plain loop. They therefore share no code with the exchanges that they watch.
 */
package dev.braid.chaos.sim.check;
