package dev.braid.chaos.fault;

import java.util.Locale;

/** Effect of a fault on a message or a rank. */
public enum Effect {
  /** The message is lost on a link that is cut. */
  CUT,
  /** The message is lost since its sender or its receiver is isolated. */
  ISOLATED,
  /** The message is lost by chance. */
  DROPPED,
  /** The message is late. */
  DELAYED,
  /** The message waits since its link is throttled. */
  THROTTLED,
  /** The message arrives twice. */
  DUPLICATED,
  /** The message is held back, so that others overtake it. */
  REORDERED,
  /** Bits of the message are flipped. */
  CORRUPTED,
  /** The rank takes longer for a gradient. */
  SLOWED;

  /** Returns the name that reports use. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
