package dev.braid.bench.convolutions;

import dev.braid.bench.convolutions.ConvolutionBenchmark.Layer;
import java.util.ArrayList;
import java.util.List;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.ops.DynamicCustomOp;
import org.nd4j.linalg.factory.Nd4j;

/**
 * ND4J's operations, which use oneDNN if the build of its library contains it. The environment
 * determines the number of threads.
 */
final class Nd4jConvolutions implements Runnable {

  private record Step(DynamicCustomOp forward, DynamicCustomOp backward) {}

  private final List<Step> steps = new ArrayList<>();

  Nd4jConvolutions() {
    for (Layer layer : ConvolutionBenchmark.LAYERS) {
      int side = layer.side();
      long[] shape = {ConvolutionBenchmark.BATCH, layer.inputs(), side, side};
      long[] outputShape = {ConvolutionBenchmark.BATCH, layer.outputs(), side, side};
      long[] kernelShape = {layer.outputs(), layer.inputs(), Layer.KERNEL, Layer.KERNEL};
      INDArray images = noise(shape, 1);
      INDArray kernels = noise(kernelShape, 2);
      INDArray outputs = Nd4j.create(outputShape);
      DynamicCustomOp forward = operation("conv2d", List.of(images, kernels), List.of(outputs));
      Nd4j.exec(forward);
      ConvolutionBenchmark.check(
          layer,
          images.data().asFloat(),
          kernels.data().asFloat(),
          outputs.dup('c').data().asFloat());
      // ND4J has no operation that omits the gradient by the images.
      steps.add(
          new Step(
              forward,
              operation(
                  "conv2d_bp",
                  List.of(images, kernels, noise(outputShape, 3)),
                  List.of(Nd4j.create(shape), Nd4j.create(kernelShape)))));
    }
  }

  private static INDArray noise(long[] shape, long seed) {
    int length = 1;
    for (long side : shape) {
      length *= (int) side;
    }
    return Nd4j.create(ConvolutionBenchmark.noise(length, seed), shape);
  }

  /**
   * Returns a convolution with borders; images are stored channel after channel, weights kernel
   * after kernel.
   */
  private static DynamicCustomOp operation(
      String name, List<INDArray> inputs, List<INDArray> outputs) {
    return DynamicCustomOp.builder(name)
        .addInputs(inputs.toArray(INDArray[]::new))
        .addOutputs(outputs.toArray(INDArray[]::new))
        .addIntegerArguments(Layer.KERNEL, Layer.KERNEL, 1, 1, 0, 0, 1, 1, 1, 0, 1)
        .build();
  }

  @Override
  public void run() {
    steps.forEach(step -> Nd4j.exec(step.forward));
    for (int i = steps.size() - 1; i >= 0; i--) {
      Nd4j.exec(steps.get(i).backward);
    }
  }
}
