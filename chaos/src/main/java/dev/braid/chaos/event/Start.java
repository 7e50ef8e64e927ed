package dev.braid.chaos.event;

/** Moment at which an event takes effect. */
public sealed interface Start {

  /** Start at the moment when the event becomes known. */
  record Now() implements Start {}

  /**
   * Start with the first message of this round or a later one. Every rank detects that itself, so
   * it is the same moment of training in every run.
   */
  record AtRound(long round) implements Start {}

  /**
   * Start when training has run this long, in ms, without the time of recovery from failures; at
   * once if that time is over.
   */
  record After(long millis) implements Start {}
}
