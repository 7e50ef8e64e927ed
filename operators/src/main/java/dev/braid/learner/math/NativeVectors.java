package dev.braid.learner.math;

import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Copies between {@code float[]} and ND4J's memory, whole vectors at memory speed. ND4J's own ways
 * cost ten times as much: they go element by element or allocate.
 */
public final class NativeVectors {

  private NativeVectors() {}

  /** A window on a contiguous array's memory. The array must outlive it. */
  public static FloatPointer pointer(INDArray array) {
    return new FloatPointer(array.data().pointer()).position(array.offset());
  }

  public static float[] toArray(INDArray array) {
    float[] values = new float[Math.toIntExact(array.length())];
    pointer(array).get(values);
    return values;
  }

  public static void put(float[] values, INDArray into) {
    pointer(into).put(values, 0, values.length);
  }
}
