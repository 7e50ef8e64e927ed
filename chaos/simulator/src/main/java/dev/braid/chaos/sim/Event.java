package dev.braid.chaos.sim;

import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.exchange.message.Body.BodyForm;
import dev.braid.exchange.message.Message;
import java.util.Comparator;
import java.util.Optional;

/**
 * Something that happens to a rank.
 *
 * @param nanos when it happens, in nanoseconds
 * @param number order in which events were scheduled, which decides between events of the same time
 * @param attempt number of crashes before it was scheduled; events of an earlier attempt do not
 *     happen
 * @param kind what happens
 * @param rank rank to which it happens
 * @param tag DEADLINE: number of the request; CONTROL: number of the control event; BARRIER,
 *     COMPLETE, ABORT, CRASH and HOLD_DUE: number of the checkpoint; messages: incarnation of their
 *     sender
 * @param message message in flight, of SENT, ARRIVAL and ENTRY
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
    /** Messages that wait on links of any ranks because of faults may proceed. */
    WAKE,
    /** A message has passed the line of the rank. */
    ENTRY,
    /** The rank's source delivers a batch, or has no more. */
    BATCH,
    /** The rank's own gradient is computed. */
    GRADIENT,
    /** The rank has evaluated a model. */
    EVALUATED,
    /** The time of a deadline that the exchange requested has come. */
    DEADLINE,
    /** The barrier of a checkpoint arrives at the rank. */
    BARRIER,
    /** All parts of a checkpoint are stored, so it is complete. */
    COMPLETE,
    /** A checkpoint is aborted, if it is not complete. */
    ABORT,
    /** All ranks crash. */
    CRASH,
    /** The rank is deployed again after a crash. */
    DEPLOYED,
    /** The rank has restored its state. */
    RESTORED,
    /** A checkpoint has waited for a round for the maximum time. */
    HOLD_DUE,
    /**
     * A control event from the coordinator arrives at the rank, or one from the rank at the
     * coordinator.
     */
    CONTROL
  }

  static final Comparator<Event> ORDER =
      (one, other) -> {
        int byTime = Long.compare(one.nanos, other.nanos);
        return byTime == 0 ? Long.compare(one.number, other.number) : byTime;
      };

  /** Returns a copy with another message. */
  Event withMessage(Message other) {
    return new Event(nanos, number, attempt, kind, rank, tag, Optional.of(other));
  }

  /** Returns the running digest of all events, including this one. */
  long digest(long before) {
    long after = Seeds.mix(Seeds.mix(before, nanos), Seeds.pair(kind.name().hashCode(), rank));
    after = Seeds.mix(after, tag);
    if (message.isPresent()) {
      Message m = message.get();
      BodyForm form = m.body().form();
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
