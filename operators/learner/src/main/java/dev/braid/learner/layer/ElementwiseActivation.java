package dev.braid.learner.layer;

import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.math.NativeWorkspace;
import dev.braid.learner.structure.Activations;
import dev.braid.learner.structure.ImageShape;
import org.bytedeco.javacpp.FloatPointer;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationLReLU;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** An activation that applies to each value independently. */
abstract class ElementwiseActivation implements ImageLayer {

  private final ImageShape shape;

  private ElementwiseActivation(ImageShape shape) {
    this.shape = shape;
  }

  /**
   * Returns Braid's own loop for a function if there is a faster one, otherwise ND4J's function.
   */
  static ElementwiseActivation of(IActivation function, ImageShape shape) {
    if (Activations.isPlainRectifier(function)) {
      return new Rectifier(shape);
    }
    return function instanceof ActivationLReLU leaky
        ? new LeakyRectifier(shape, (float) leaky.getAlpha())
        : new Function(shape, function);
  }

  @Override
  public final ImageShape output() {
    return shape;
  }

  @Override
  public final void forward(Pass pass, float[] input, float[] output) {
    forward(input, output, pass.samples() * shape.size());
  }

  @Override
  public final void backward(
      Pass pass,
      float[] input,
      float[] output,
      float[] delta,
      float[] gradient,
      float[] inputDelta) {
    if (inputDelta.length > 0) {
      backward(input, output, delta, pass.samples() * shape.size(), inputDelta);
    }
  }

  abstract void forward(float[] input, float[] output, int length);

  abstract void backward(
      float[] input, float[] output, float[] delta, int length, float[] inputDelta);

  /** The function {@code max(0, x)}. */
  private static final class Rectifier extends ElementwiseActivation {
    Rectifier(ImageShape shape) {
      super(shape);
    }

    @Override
    void forward(float[] input, float[] output, int length) {
      System.arraycopy(input, 0, output, 0, length);
      RectifierLoops.rectify(output, length);
    }

    @Override
    void backward(float[] input, float[] output, float[] delta, int length, float[] inputDelta) {
      System.arraycopy(delta, 0, inputDelta, 0, length);
      RectifierLoops.mask(inputDelta, output, length);
    }
  }

  /** A leaky rectifier: values below 0 are multiplied by a slope between 0 and 1. */
  private static final class LeakyRectifier extends ElementwiseActivation {
    private final float slope;

    LeakyRectifier(ImageShape shape, float slope) {
      super(shape);
      this.slope = slope;
    }

    @Override
    void forward(float[] input, float[] output, int length) {
      for (int i = 0; i < length; i++) {
        output[i] = Math.max(0, input[i]) + slope * Math.min(0, input[i]);
      }
    }

    @Override
    void backward(float[] input, float[] output, float[] delta, int length, float[] inputDelta) {
      for (int i = 0; i < length; i++) {
        // 1 for values below 0, 0 for others, without a branch: see RectifierLoops.
        float below = Math.max(0, Math.min(1, input[i] * -Float.MAX_VALUE * Float.MAX_VALUE));
        inputDelta[i] = delta[i] * (1 + (slope - 1) * below);
      }
    }
  }

  /** Any ND4J function. */
  private static final class Function extends ElementwiseActivation {
    private final IActivation function;
    private INDArray array = Nd4j.createUninitialized(DataType.FLOAT, 1);
    private INDArray deltaArray = Nd4j.createUninitialized(DataType.FLOAT, 1);

    Function(ImageShape shape, IActivation function) {
      super(shape);
      this.function = function;
    }

    @Override
    void forward(float[] input, float[] output, int length) {
      take(input, length);
      NativeWorkspace.run(() -> give(function.getActivation(array, false), output, length));
    }

    @Override
    void backward(float[] input, float[] output, float[] delta, int length, float[] inputDelta) {
      take(input, length);
      NativeVectors.pointer(deltaArray).put(delta, 0, length);
      NativeWorkspace.run(
          () -> give(function.backprop(array, deltaArray).getFirst(), inputDelta, length));
    }

    private void take(float[] input, int length) {
      if (array.length() != length) {
        close();
        array = Nd4j.createUninitialized(DataType.FLOAT, 1, length);
        deltaArray = Nd4j.createUninitialized(DataType.FLOAT, 1, length);
      }
      FloatPointer values = NativeVectors.pointer(array);
      values.put(input, 0, length);
    }

    private static void give(INDArray result, float[] output, int length) {
      NativeVectors.pointer(result).get(output, 0, length);
    }

    @Override
    public void close() {
      array.close();
      deltaArray.close();
    }
  }
}
