package dev.braid.exchange;

import dev.braid.vector.Range;

/** An exchange with servers: a rank's copy of the range that it serves is the authoritative one. */
public interface Serving {

  /**
   * Returns the range of the model that this rank serves; empty if it serves nothing. A checkpoint
   * saves only this range, and the rank hands over only this range at the end of the run.
   */
  Range served();
}
