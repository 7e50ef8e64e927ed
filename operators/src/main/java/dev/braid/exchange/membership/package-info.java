/**
 * Who takes part when ranks are cut off, and how far each is.
 *
 * <p>An exchange declares which of the kinds of {@link
 * dev.braid.exchange.participation.Participation} it has. To have one it implements a contract and
 * no more:
 *
 * <table border="1">
 * <caption>kinds of participation</caption>
 * <tr><th>kind</th><th>who decides</th><th>who is heard</th><th>who is back</th></tr>
 * <tr><td>{@code OfAll}</td><td>nobody: all are waited for</td><td></td><td>goes on</td></tr>
 * <tr><td>{@code InViews}, {@link dev.braid.exchange.participation.Elastic}</td>
 * <td>one {@link dev.braid.exchange.membership.Arbiter} for all, told over a control plane that
 * links' failures do not touch; ranks enter {@linkplain dev.braid.exchange.participation.View views} in one
 * order</td>
 * <td>by {@link dev.braid.exchange.membership.Lookout}: each way of a link by itself</td>
 * <td>gets a {@link dev.braid.exchange.membership.ReplicaCopy}</td></tr>
 * <tr><td>{@code ByRollCall}, {@link dev.braid.exchange.participation.Attendance}</td>
 * <td>each rank for itself, in a {@link dev.braid.exchange.membership.RollCall}</td>
 * <td>by questions of the transport: there and back</td>
 * <td>gets what it has missed</td></tr>
 * </table>
 *
 * <p>Of an exchange in views {@link dev.braid.exchange.membership.ElasticExchange} is all but its
 * rounds: those of one view are a {@link dev.braid.exchange.membership.RoundsOfView}.
 *
 * <p>In both, at most one part goes on ({@code StrongestPart}). Of a rank it is said that it is
 *
 * <ul>
 *   <li><b>silent</b>: another has had no answer from it for long, by any way. So far nobody goes
 *       on without it: it is only asked about
 *   <li><b>absent</b>: another rank goes on without it, by a roll call of its own
 *   <li><b>left out</b>: it is not in the view; all members go on without it
 *   <li><b>cut off</b>: it is not of that part, and goes on with nobody; users are told of it in
 *       this word, whatever has found it out
 * </ul>
 *
 * <p>A rank that is <b>unreachable</b> is absent, or cut off, and keeps a flush from its end, as
 * something that was sent has not arrived ({@link dev.braid.exchange.Asynchronous#unreachable()}).
 *
 * <p>How far ahead of the others a rank may be where each goes its own pace is kept in {@link
 * dev.braid.exchange.membership.StalenessClocks} (Ako §3.3).
 */
package dev.braid.exchange.membership;
