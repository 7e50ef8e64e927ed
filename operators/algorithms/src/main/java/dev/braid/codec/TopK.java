package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * Takes the k largest elements of a vector as they are, and sets them to 0. Elements that are not
 * taken stay, which is error feedback (Stich, Cordonnier and Jaggi, "Sparsified SGD with memory",
 * NeurIPS 2018). Of equal elements those with smaller indices are taken. An instance belongs to one
 * thread.
 */
public final class TopK {

  private final LargestSizes sizes = new LargestSizes();

  /**
   * Takes the k elements with the largest absolute values, or fewer if fewer are not 0.
   *
   * @param vector what is not sent yet; contains the residual afterwards
   * @param k number of elements, at least 0
   * @param taken receives the elements taken; its former values are discarded
   * @throws NotFiniteException if an element is not finite; the vector is then unchanged
   */
  public void take(float[] vector, Range range, int k, SparseValues taken) {
    taken.clear();
    int wanted = Math.min(k, range.length());
    if (wanted == 0) {
      return;
    }
    LargestSizes.Kth smallest = sizes.kth(vector, range, wanted);
    int left = smallest.ofIt();
    for (int i = range.start(); i < range.end(); i++) {
      int size = LargestSizes.bits(vector[i]);
      if (size >= smallest.bits() && size > 0 && (size > smallest.bits() || left-- > 0)) {
        taken.put(i, vector[i]);
        vector[i] = 0;
      }
    }
  }
}
