package dev.braid.learner.layer;

/**
 * Where a convolution's parameters are in the flat vector: the biases, if it has any, then the
 * weights, kernel after kernel, each channel by channel and row by row, as Deeplearning4j has them.
 *
 * @param taps weights of a kernel
 */
record ConvolutionParameters(int kernels, int taps, boolean hasBias, int biasStart) {

  int weightStart() {
    return biasStart + (hasBias ? kernels : 0);
  }

  int end() {
    return Math.addExact(weightStart(), Math.multiplyExact(kernels, taps));
  }
}
