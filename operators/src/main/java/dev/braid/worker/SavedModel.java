package dev.braid.worker;

import java.io.IOException;

/**
 * How large a model is that a worker has saved, for those who must know before a job restores it.
 *
 * @param parameters elements of the weights
 * @param updaterVectors how many vectors of that length the updater keeps besides
 */
public record SavedModel(int parameters, int updaterVectors) {

  /** The operator state of the workers that has the model. */
  public static final String STATE = "replica";

  /**
   * Reads an element of that state, of any rank.
   *
   * @throws IOException if it is none
   */
  public static SavedModel read(byte[] state) throws IOException {
    ReplicaPart part = ReplicaPart.fromBytes(state);
    return new SavedModel(part.length(), part.parts().length - 1);
  }
}
