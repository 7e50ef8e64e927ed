package dev.braid.chaos.stream;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.InvalidEventException;

/**
 * What should be an event, before anybody has looked at it.
 *
 * @param origin where it is from, for people, and as the id of an event that has none
 * @param bytes what it says
 */
public record RawEvent(String origin, byte[] bytes) {

  private static final int ID_LENGTH = 100;

  /**
   * The event, with an id and its origin.
   *
   * @throws InvalidEventException if it is none
   */
  public ChaosEvent toEvent() throws InvalidEventException {
    ChaosEvent event = EventReader.read(bytes).from(origin);
    return event.id().isPresent() ? event : event.withId(idOfOrigin());
  }

  /** A topic's name may be longer than an id; the offset is at the end. */
  private String idOfOrigin() {
    return origin.substring(Math.max(0, origin.length() - ID_LENGTH));
  }
}
