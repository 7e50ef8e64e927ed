/**
 * Membership: which ranks take part when some are unreachable, and how far each rank is.
 *
 * <p>An exchange declares its kind of {@link dev.braid.exchange.participation.Participation}, and
 * implements only that kind's contract:
 *
 * <table border="1">
 * <caption>kinds of participation</caption>
 * <tr><th>kind</th><th>decision</th><th>detection</th><th>a rank that rejoins</th></tr>
 * <tr><td>{@code OfAll}</td><td>none: ranks wait for all</td><td></td><td>resumes</td></tr>
 * <tr><td>{@code InViews}, {@link dev.braid.exchange.participation.Elastic}</td>
 * <td>by one {@link dev.braid.exchange.membership.Arbiter} for all, over a control plane that
 * failures of links do not affect; ranks enter {@linkplain
 * dev.braid.exchange.participation.View views} in the same order</td>
 * <td>by {@code Lookout}: each direction of a link separately</td>
 * <td>gets a {@link dev.braid.exchange.membership.ReplicaCopy}</td></tr>
 * <tr><td>{@code ByRollCall}, {@link dev.braid.exchange.participation.Attendance}</td>
 * <td>by each rank for itself, in a {@link dev.braid.exchange.membership.RollCall}</td>
 * <td>by the transport's questions: both directions</td>
 * <td>gets what it has missed</td></tr>
 * </table>
 *
 * <p>A {@link dev.braid.exchange.membership.ViewMember} is a rank of an exchange in views. {@link
 * dev.braid.exchange.membership.ElasticExchange} implements a synchronous one, except its rounds. A
 * {@link dev.braid.exchange.membership.RoundsOfView} defines the rounds of one view.
 *
 * <p>In both kinds with changing membership, at most one part continues ({@code StrongestPart}).
 * The terms for a rank are:
 *
 * <ul>
 *   <li><b>silent</b>: it has not answered another rank for a long time, by any route. So far it is
 *       only asked, and no rank continues without it
 *   <li><b>absent</b>: another rank continues without it, by a roll call of its own
 *   <li><b>left out</b>: it is not in the view, and all members continue without it
 *   <li><b>excluded</b>: it is not in the part that continues; messages to users have this word for
 *       it, whichever mechanism has excluded it
 * </ul>
 *
 * <p>An <b>unreachable</b> rank is absent or excluded, and prevents a flush from ending, because
 * something that was sent has not arrived ({@link dev.braid.exchange.Asynchronous#unreachable()}).
 *
 * <p>{@link dev.braid.exchange.membership.StalenessClocks} bound how far an asynchronous rank may
 * be ahead of the others (Ako §3.3).
 */
package dev.braid.exchange.membership;
