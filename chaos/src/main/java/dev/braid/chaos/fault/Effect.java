package dev.braid.chaos.fault;

import java.util.Locale;

/** What a fault does. */
public enum Effect {
  /** A message is lost on a link that is cut. */
  CUT,
  /** A message from or to a rank that is isolated is lost. */
  ISOLATED,
  /** A message is lost by chance. */
  DROPPED,
  /** A message is late. */
  DELAYED,
  /** A message waits for what its link carries. */
  THROTTLED,
  /** A message arrives twice. */
  DUPLICATED,
  /** A message is held back, for others to overtake it. */
  REORDERED,
  /** Bits of a message are flipped. */
  CORRUPTED,
  /** A gradient takes longer than it could. */
  SLOWED;

  /** As reports have it. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
