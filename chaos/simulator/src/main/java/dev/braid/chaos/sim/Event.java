package dev.braid.chaos.sim;

import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.exchange.message.BodyForm;
import dev.braid.exchange.message.Message;
import java.util.Comparator;
import java.util.Optional;

/**
 * Something that happens to a rank.
 *
 * @param nanos when
 * @param number the order in which events were asked for: decides between events of one time
 * @param attempt number of crashes before it was asked for: none of an earlier attempt happens
 * @param kind what happens
 * @param rank to whom
 * @param tag DEADLINE: the number of the request; CONTROL: that of what was said; BARRIER,
 *     COMPLETE, ABORT, CRASH and HOLD_DUE: of the checkpoint; messages: their sender's incarnation
 * @param message what is on its way, of SENT, ARRIVAL and ENTRY
 */
record Event(
    long nanos,
    long number,
    int attempt,
    Kind kind,
    int rank,
    long tag,
    Optional<Message> message) {

  enum Kind {
    /** A message for the rank has passed its sender's line. */
    SENT,
    /** A message has come to the links of the rank. */
    ARRIVAL,
    /** Messages that wait on links because of faults, of whichever ranks, may go on. */
    WAKE,
    /** A message has passed the line of the rank. */
    ENTRY,
    /** The rank's source hands a batch over, or has no more. */
    BATCH,
    /** The rank's own gradient is computed. */
    GRADIENT,
    /** The rank has evaluated a model. */
    EVALUATED,
    /** A time that the exchange asked for has come. */
    DEADLINE,
    /** The barrier of a checkpoint comes to the rank. */
    BARRIER,
    /** A checkpoint has what all ranks wrote. */
    COMPLETE,
    /** A checkpoint is given up, if it is not complete. */
    ABORT,
    /** All ranks crash. */
    CRASH,
    /** The rank is deployed again after a crash. */
    DEPLOYED,
    /** The rank has restored its state. */
    RESTORED,
    /** A checkpoint has waited for a round for as long as it may. */
    HOLD_DUE,
    /** The rank hears from the arbiter of views, or the arbiter from it. */
    CONTROL
  }

  static final Comparator<Event> ORDER =
      (one, other) -> {
        int byTime = Long.compare(one.nanos, other.nanos);
        return byTime == 0 ? Long.compare(one.number, other.number) : byTime;
      };

  /** The same event with another message. */
  Event withMessage(Message other) {
    return new Event(nanos, number, attempt, kind, rank, tag, Optional.of(other));
  }

  /** Takes this event into a running digest of all that happened. */
  long digest(long before) {
    long after = Seeds.mix(Seeds.mix(before, nanos), Seeds.pair(kind.name().hashCode(), rank));
    after = Seeds.mix(after, tag);
    if (message.isPresent()) {
      Message m = message.get();
      BodyForm form = BodyForm.of(m.body());
      after = Seeds.mix(Seeds.mix(after, Seeds.pair(form.code(), m.from())), m.round());
      after = Seeds.mix(after, Seeds.pair(form.start(), form.end()));
      after = Seeds.mix(Seeds.mix(after, form.first()), form.second());
    }
    return after;
  }

  @Override
  public String toString() {
    String what = nanos + " ns: rank " + rank + " " + kind + " " + tag;
    return message
        .map(
            m ->
                "%s: %s of round %d from rank %d, elements %d to %d"
                    .formatted(
                        what,
                        m.body().getClass().getSimpleName(),
                        m.round(),
                        m.from(),
                        m.range().start(),
                        m.range().end()))
        .orElse(what);
  }
}
