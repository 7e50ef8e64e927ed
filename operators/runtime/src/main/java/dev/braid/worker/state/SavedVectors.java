package dev.braid.worker.state;

import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.wire.DamagedStateException;
import java.util.List;

/**
 * A rank's part of the model's vectors, which are the weights and the updater's state.
 *
 * @param kind kind of the part
 * @param length number of elements of each vector
 * @param range range of the elements in the part
 * @param slices the vectors' elements in the range. They are views of the model, which are not
 *     copied before they become bytes, or arrays of their own if the part was read
 */
public record SavedVectors(Kind kind, int length, Range range, List<Slice> slices) {

  /** The kind of part that each rank writes of the model into a checkpoint. */
  public enum Kind {
    /** Each rank writes a share of the model, which is the same at all ranks. */
    SHARE(1),
    /** Each rank writes a whole replica, because replicas differ. */
    REPLICA(2),
    /** Each rank writes the range that it serves to the others; many ranks serve nothing. */
    SERVED(3);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** Returns the code of this kind in a checkpoint. */
    int code() {
      return code;
    }

    static Kind of(int code) throws DamagedStateException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new DamagedStateException(
          ReplicaPart.NAME, "its part of the model is of the unknown kind " + code);
    }
  }

  public SavedVectors {
    slices = List.copyOf(slices);
  }

  /** Returns the elements in the range by vector, not copied if the part was read. */
  public float[][] values() {
    return slices.stream().map(SavedVectors::whole).toArray(float[][]::new);
  }

  private static float[] whole(Slice slice) {
    return slice.length() == slice.array().length ? slice.array() : slice.toArray();
  }
}
