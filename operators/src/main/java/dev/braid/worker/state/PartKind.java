package dev.braid.worker.state;

import dev.braid.wire.DamagedStateException;

/** The kind of part that each rank writes of the model into a checkpoint. */
public enum PartKind {
  /** Each rank writes a share of the model, which is the same at all ranks. */
  SHARE(1),
  /** Each rank writes a whole replica, because replicas differ. */
  REPLICA(2),
  /** Each rank writes the range that it serves to the others; many ranks serve nothing. */
  SERVED(3);

  private final int code;

  PartKind(int code) {
    this.code = code;
  }

  /** Returns the code of this kind in a checkpoint. */
  int code() {
    return code;
  }

  static PartKind of(int code) throws DamagedStateException {
    for (PartKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new DamagedStateException(
        ReplicaPart.NAME, "its part of the model is of the unknown kind " + code);
  }
}
