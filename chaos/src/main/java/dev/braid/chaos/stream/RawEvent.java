package dev.braid.chaos.stream;

/**
 * What should be an event, before anybody has looked at it.
 *
 * @param origin where it is from, for people, and as the id of an event that has none
 * @param bytes what it says
 */
public record RawEvent(String origin, byte[] bytes) {}
