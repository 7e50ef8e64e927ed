package dev.braid.chaos.event;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One command on the stream of failures. {@link EventReader} and {@link EventWriter} have its form
 * as text.
 *
 * @param id names it in logs; none given: it gets one from its place in the stream
 * @param origin its place in the stream, once it is known: what tells it from all others, even of
 *     the same id
 * @param action what to do
 * @param target to which links or ranks
 * @param start when
 * @param forMillis how long; none given: until something ends it
 */
public record ChaosEvent(
    Optional<String> id,
    Optional<String> origin,
    Action action,
    Target target,
    Start start,
    OptionalLong forMillis) {

  /** An event of now, until something ends it. */
  public static ChaosEvent of(Action action, Target target) {
    return new ChaosEvent(
        Optional.empty(), Optional.empty(), action, target, new Start.Now(), OptionalLong.empty());
  }

  /** The same event by this name. */
  public ChaosEvent withId(String newId) {
    return new ChaosEvent(Optional.of(newId), origin, action, target, start, forMillis);
  }

  /** The same event, to be named after its place. */
  public ChaosEvent withoutId() {
    return new ChaosEvent(Optional.empty(), origin, action, target, start, forMillis);
  }

  /** The same event, taken from this place in the stream. */
  public ChaosEvent from(String place) {
    return new ChaosEvent(id, Optional.of(place), action, target, start, forMillis);
  }

  /** What tells it from other events of a run: its place in the stream, or else its id. */
  public String key() {
    return origin.or(() -> id).orElse("");
  }

  /** The same event at another time. */
  public ChaosEvent withStart(Start newStart) {
    return new ChaosEvent(id, origin, action, target, newStart, forMillis);
  }

  /** The same event for this long. */
  public ChaosEvent withDuration(long millis) {
    return new ChaosEvent(id, origin, action, target, start, OptionalLong.of(millis));
  }

  /**
   * Checks that the event is possible among this many ranks.
   *
   * @throws InvalidEventException if it names a rank, level or number of links that is not there
   */
  public void checkFor(int ranks) throws InvalidEventException {
    if (action.concernsRanks()) {
      target.checkRanks(ranks);
    } else {
      target.checkLinks(ranks);
    }
  }
}
