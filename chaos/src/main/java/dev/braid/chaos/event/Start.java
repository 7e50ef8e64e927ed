package dev.braid.chaos.event;

/** When an event takes effect. */
public sealed interface Start {

  /** As soon as it is known. */
  record Now() implements Start {}

  /**
   * With the first message of this round or a later one. Every rank sees that for itself, so it is
   * the same moment of training in every run.
   */
  record AtRound(long round) implements Start {}

  /**
   * When training has run this long, without the time that it took to recover from a failure; at
   * once if that is over.
   */
  record After(long millis) implements Start {}
}
