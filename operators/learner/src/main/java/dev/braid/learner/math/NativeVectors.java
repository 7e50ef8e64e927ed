package dev.braid.learner.math;

import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Copies of whole vectors between {@code float[]} and ND4J's memory, at memory speed. ND4J's own
 * methods take ten times as long, because they copy element by element or allocate memory.
 */
public final class NativeVectors {

  private NativeVectors() {}

  /** Returns a pointer to a contiguous array's memory. The array must outlive the pointer. */
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
