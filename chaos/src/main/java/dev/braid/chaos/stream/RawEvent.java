package dev.braid.chaos.stream;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.InvalidEventException;

/**
 * A record that should be an event and has not been checked.
 *
 * @param origin place of the record, for people, and as the id of an event that has none
 * @param bytes content of the record
 */
public record RawEvent(String origin, byte[] bytes) {

  private static final int ID_LENGTH = 100;

  /**
   * Returns the event, with an id and its origin.
   *
   * @throws InvalidEventException if the record is not an event
   */
  public ChaosEvent toEvent() throws InvalidEventException {
    ChaosEvent event = EventReader.read(bytes).from(origin);
    return event.id().isPresent() ? event : event.withId(idOfOrigin());
  }

  /**
   * Returns the end of the origin, which has the offset: a topic's name may be longer than an id.
   */
  private String idOfOrigin() {
    return origin.substring(Math.max(0, origin.length() - ID_LENGTH));
  }
}
