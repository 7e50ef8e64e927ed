package dev.braid.chaos.event;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * One command on the stream of failures. {@link EventReader} and {@link EventWriter} convert it
 * from and to text.
 *
 * @param id name of the event in logs; if empty, an id is made from its place in the stream
 * @param origin place of the event in the stream, once it is known, which distinguishes it from all
 *     others, even with the same id
 * @param action what to do
 * @param target links or ranks that it concerns
 * @param start when it takes effect
 * @param forMillis duration in ms; if empty, it lasts until another event ends it
 */
public record ChaosEvent(
    Optional<String> id,
    Optional<String> origin,
    Action action,
    Target target,
    Start start,
    OptionalLong forMillis) {

  /** Returns an event that takes effect at once and lasts until another event ends it. */
  public static ChaosEvent of(Action action, Target target) {
    return new ChaosEvent(
        Optional.empty(), Optional.empty(), action, target, new Start.Now(), OptionalLong.empty());
  }

  /** Returns a copy with this id. */
  public ChaosEvent withId(String newId) {
    return new ChaosEvent(Optional.of(newId), origin, action, target, start, forMillis);
  }

  /** Returns a copy without an id, which will be named after its place. */
  public ChaosEvent withoutId() {
    return new ChaosEvent(Optional.empty(), origin, action, target, start, forMillis);
  }

  /** Returns a copy with this place in the stream. */
  public ChaosEvent from(String place) {
    return new ChaosEvent(id, Optional.of(place), action, target, start, forMillis);
  }

  /**
   * Returns the key that distinguishes it from other events of a run: its place in the stream, or
   * else its id.
   */
  public String key() {
    return origin.or(() -> id).orElse("");
  }

  /** Returns a copy with another start. */
  public ChaosEvent withStart(Start newStart) {
    return new ChaosEvent(id, origin, action, target, newStart, forMillis);
  }

  /** Returns a copy with this duration. */
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
