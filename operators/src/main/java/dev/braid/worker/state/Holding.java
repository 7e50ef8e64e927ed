package dev.braid.worker.state;

import dev.braid.wire.DamagedStateException;

/** What the ranks' parts of the model are in a checkpoint. */
public enum Holding {
  /** Of a model that all have alike, a share each. */
  SHARE(1),
  /** A whole replica each, as they differ. */
  REPLICA(2),
  /** What each serves to the others; many serve nothing. */
  SERVED(3);

  private final int code;

  Holding(int code) {
    this.code = code;
  }

  /** In a checkpoint. */
  int code() {
    return code;
  }

  static Holding of(int code) throws DamagedStateException {
    for (Holding holding : values()) {
      if (holding.code == code) {
        return holding;
      }
    }
    throw new DamagedStateException(ReplicaPart.NAME, "its part of the model is of kind " + code);
  }
}
