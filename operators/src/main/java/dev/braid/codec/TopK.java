package dev.braid.codec;

import dev.braid.vector.Range;

/**
 * Takes the k largest elements of a vector as they are, and leaves 0 in their place: error
 * feedback, as what is not taken stays (Stich, Cordonnier and Jaggi, "Sparsified SGD with memory",
 * NeurIPS 2018). Of equal ones those with the smaller index are taken. An instance belongs to one
 * thread.
 */
public final class TopK {

  private final LargestSizes sizes = new LargestSizes();

  /**
   * Takes the k elements that are largest by absolute value, or fewer if fewer are not 0.
   *
   * @param vector what is not sent yet; the residual afterwards
   * @param k at least 0
   * @param taken what was taken; its former values are forgotten
   * @throws NotFiniteException if an element is not finite; the vector is as it was
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
