package dev.braid.learner.layer;

/**
 * The position of a convolution's parameters in the flat vector: the biases, if it has any, then
 * the weights, kernel after kernel, each channel by channel and row by row, as in Deeplearning4j.
 *
 * @param taps number of weights of a kernel
 */
record ConvolutionParameters(int kernels, int taps, boolean hasBias, int biasStart) {

  int weightStart() {
    return biasStart + (hasBias ? kernels : 0);
  }
}
