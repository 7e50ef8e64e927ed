package dev.braid.bench.convolutions;

import dev.braid.bench.convolutions.ConvolutionBenchmark.Layer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.IntMemoryMap;
import org.bytedeco.dnnl.convolution_backward_data;
import org.bytedeco.dnnl.convolution_backward_weights;
import org.bytedeco.dnnl.convolution_forward;
import org.bytedeco.dnnl.engine;
import org.bytedeco.dnnl.global.dnnl;
import org.bytedeco.dnnl.memory;
import org.bytedeco.dnnl.primitive;
import org.bytedeco.dnnl.reorder;
import org.bytedeco.dnnl.stream;
import org.bytedeco.javacpp.FloatPointer;

/**
 * oneDNN, called directly: all arrays are in its preferred layouts beforehand, except for the
 * weights. They are converted in each step, because a step changes them.
 */
final class DnnlConvolutions implements Runnable {

  private record Step(primitive what, IntMemoryMap arguments) {}

  private static final long[] STRIDES = {1, 1};
  private static final long[] PADDING = {Layer.PADDING, Layer.PADDING};

  private final engine cpu = new engine(engine.kind.cpu, 0);
  private final stream order = new stream(cpu);
  private final List<Step> steps = new ArrayList<>();

  DnnlConvolutions() {
    List<Step> back = new ArrayList<>();
    for (Layer layer : ConvolutionBenchmark.LAYERS) {
      add(layer, back);
    }
    steps.addAll(back);
  }

  private void add(Layer layer, List<Step> back) {
    int side = layer.side();
    long[] shape = {ConvolutionBenchmark.BATCH, layer.inputs(), side, side};
    long[] outputShape = {ConvolutionBenchmark.BATCH, layer.outputs(), side, side};
    long[] kernelShape = {layer.outputs(), layer.inputs(), Layer.KERNEL, Layer.KERNEL};
    convolution_forward.primitive_desc forward =
        new convolution_forward.primitive_desc(
            new convolution_forward.desc(
                dnnl.prop_kind.forward_training,
                dnnl.algorithm.convolution_direct,
                any(shape),
                any(kernelShape),
                any(outputShape),
                STRIDES,
                PADDING,
                PADDING),
            cpu);
    float[] images = ConvolutionBenchmark.noise(length(shape), 1);
    float[] weights = ConvolutionBenchmark.noise(length(kernelShape), 2);
    memory plainWeights = plain(weights, kernelShape);
    memory input = arranged(images, shape, forward.src_desc());
    memory kernels = new memory(forward.weights_desc(), cpu);
    memory output = new memory(forward.dst_desc(), cpu);
    steps.add(arrange(plainWeights, kernels));
    steps.add(
        new Step(
            new convolution_forward(forward),
            new IntMemoryMap()
                .put(dnnl.DNNL_ARG_SRC, input)
                .put(dnnl.DNNL_ARG_WEIGHTS, kernels)
                .put(dnnl.DNNL_ARG_DST, output)));
    run(steps);
    check(layer, images, weights, output, outputShape);

    float[] deltas = ConvolutionBenchmark.noise(length(outputShape), 3);
    convolution_backward_weights.primitive_desc byWeights =
        new convolution_backward_weights.primitive_desc(
            new convolution_backward_weights.desc(
                dnnl.algorithm.convolution_direct,
                any(shape),
                any(kernelShape),
                any(outputShape),
                STRIDES,
                PADDING,
                PADDING),
            cpu,
            forward);
    memory gradient = new memory(byWeights.diff_weights_desc(), cpu);
    back.add(
        new Step(
            new convolution_backward_weights(byWeights),
            new IntMemoryMap()
                .put(dnnl.DNNL_ARG_SRC, arranged(images, shape, byWeights.src_desc()))
                .put(
                    dnnl.DNNL_ARG_DIFF_DST,
                    arranged(deltas, outputShape, byWeights.diff_dst_desc()))
                .put(dnnl.DNNL_ARG_DIFF_WEIGHTS, gradient)));
    back.add(arrange(gradient, plain(weights, kernelShape)));
    if (!layer.isFirst()) {
      addGradientByImages(shape, kernelShape, outputShape, forward, back);
    }
  }

  private void addGradientByImages(
      long[] shape,
      long[] kernelShape,
      long[] outputShape,
      convolution_forward.primitive_desc forward,
      List<Step> back) {
    convolution_backward_data.primitive_desc byImages =
        new convolution_backward_data.primitive_desc(
            new convolution_backward_data.desc(
                dnnl.algorithm.convolution_direct,
                any(shape),
                any(kernelShape),
                any(outputShape),
                STRIDES,
                PADDING,
                PADDING),
            cpu,
            forward);
    float[] weights = ConvolutionBenchmark.noise(length(kernelShape), 2);
    float[] deltas = ConvolutionBenchmark.noise(length(outputShape), 3);
    memory kernels = new memory(byImages.weights_desc(), cpu);
    back.add(arrange(plain(weights, kernelShape), kernels));
    back.add(
        new Step(
            new convolution_backward_data(byImages),
            new IntMemoryMap()
                .put(
                    dnnl.DNNL_ARG_DIFF_DST, arranged(deltas, outputShape, byImages.diff_dst_desc()))
                .put(dnnl.DNNL_ARG_WEIGHTS, kernels)
                .put(dnnl.DNNL_ARG_DIFF_SRC, new memory(byImages.diff_src_desc(), cpu))));
  }

  private void check(
      Layer layer, float[] images, float[] weights, memory output, long[] outputShape) {
    float[] values = new float[length(outputShape)];
    memory plain = plain(values, outputShape);
    run(List.of(arrange(output, plain)));
    new FloatPointer(plain.get_data_handle()).get(values);
    ConvolutionBenchmark.check(layer, images, weights, values);
  }

  private static memory.desc any(long[] shape) {
    return new memory.desc(shape, memory.data_type.f32, memory.format_tag.any);
  }

  /** Returns a memory with the values in the order of Java's arrays. */
  private memory plain(float[] values, long[] shape) {
    memory plain =
        new memory(new memory.desc(shape, memory.data_type.f32, memory.format_tag.nchw), cpu);
    new FloatPointer(plain.get_data_handle()).put(values);
    return plain;
  }

  private memory arranged(float[] values, long[] shape, memory.desc form) {
    memory result = new memory(form, cpu);
    run(List.of(arrange(plain(values, shape), result)));
    return result;
  }

  private static Step arrange(memory from, memory to) {
    return new Step(
        new reorder(from, to),
        new IntMemoryMap().put(dnnl.DNNL_ARG_FROM, from).put(dnnl.DNNL_ARG_TO, to));
  }

  private static int length(long[] shape) {
    long length = 1;
    for (long side : shape) {
      length *= side;
    }
    return Math.toIntExact(length);
  }

  private void run(List<Step> some) {
    some.forEach(step -> step.what.execute(order, step.arguments));
    order._wait();
  }

  @Override
  public void run() {
    run(steps);
  }
}
