package dev.braid.exchange;

import dev.braid.vector.Range;

/** An exchange with servers: of what a rank serves, its copy is the one that counts. */
public interface Serving {

  /**
   * The range of the model that this rank serves, empty where it serves nothing: only that is saved
   * by a checkpoint, and handed over in the end.
   */
  Range served();
}
