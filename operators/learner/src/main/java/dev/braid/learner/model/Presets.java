package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.optimiser.UpdaterSpec;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer.PoolingType;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * Models that need no file, each with a learning rate at which it learns.
 *
 * <p>Nesterov's momentum of 0.9 eventually makes a step ten times as long. The same learning rate
 * has to work for 1 to 16 workers. The fully connected models tolerate 0.1. At that rate the
 * rectified units of the convolutions are dead after an epoch, and the loss remains that of
 * guessing.
 *
 * <p>Measured for {@link #CNN}, after two epochs over the first samples of MNIST, with batches of
 * 100 for each worker (accuracy on the first 500 or 1,000 test samples):
 *
 * <pre>
 *   workers  samples    0.01      0.02      0.1
 *      1       3,000    91.8 %    92.0 %
 *      4       4,000    74.1 %              12.6 %
 *     16      20,000    79.0 %    84.8 %
 * </pre>
 *
 * <p>With one worker the loss of the first epoch grows with the rate: 1.37 with 0.01, 1.66 with
 * 0.02, 1.96 with 0.03. The lowest rate has the greatest margin to the rates at which units die.
 */
enum Presets {
  /** One layer: softmax regression, or linear regression if the samples have values. */
  LOGISTIC(0.1, 0.01) {
    @Override
    MultiLayerConfiguration configuration(Shape shape, long seed) {
      return builder(shape, seed).list().layer(output(shape.features(), shape)).build();
    }
  },

  /** One hidden layer of 512 rectified units: 407,050 parameters for MNIST. */
  MLP(0.1, 0.001) {
    @Override
    MultiLayerConfiguration configuration(Shape shape, long seed) {
      return builder(shape, seed)
          .list()
          .layer(
              new DenseLayer.Builder()
                  .nIn(shape.features())
                  .nOut(512)
                  .activation(Activation.RELU)
                  .weightInit(WeightInit.RELU)
                  .build())
          .layer(output(512, shape))
          .build();
    }
  },

  /**
   * Three convolutions of 10, 20 and 100 kernels between max-poolings, and 200 neurons: the MNIST
   * network of Ako (Watcharapichat et al., SoCC 2016) §5.1, which does not state the kernels' size.
   * Here kernels are 5x5, with padded borders, so that three convolutions fit on a digit.
   */
  CNN(0.01, 0.001) {
    @Override
    MultiLayerConfiguration configuration(Shape shape, long seed) {
      return convolutions(shape, seed, List.of(10, 20, 100), 200);
    }
  },

  /**
   * Like {@link #CNN}, with 32, 64 and 256 kernels and 800 neurons, as Ako has for colour images:
   * 3.7 million parameters for images of 32x32.
   */
  CNN_CIFAR(0.01, 0.001) {
    @Override
    MultiLayerConfiguration configuration(Shape shape, long seed) {
      return convolutions(shape, seed, List.of(32, 64, 256), 800);
    }
  };

  private static final int CNN_LEAST_SIDE = 8;

  private final double learningRate;
  private final double learningRateOfValues;

  Presets(double learningRate, double learningRateOfValues) {
    this.learningRate = learningRate;
    this.learningRateOfValues = learningRateOfValues;
  }

  abstract MultiLayerConfiguration configuration(Shape shape, long seed);

  /** Returns the name on the command line. */
  String presetName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (Presets preset : values()) {
      names.add(preset.presetName());
    }
    return names;
  }

  /**
   * Returns a model with one convolution and one pooling for each element of {@code kernels},
   * followed by a hidden layer of {@code neurons} units.
   */
  MultiLayerConfiguration convolutions(Shape shape, long seed, List<Integer> kernels, int neurons) {
    checkImages(shape);
    NeuralNetConfiguration.ListBuilder layers = builder(shape, seed).list();
    for (int count : kernels) {
      layers.layer(convolution(count)).layer(pooling());
    }
    return layers
        .layer(
            new DenseLayer.Builder()
                .nOut(neurons)
                .activation(Activation.RELU)
                .weightInit(WeightInit.RELU)
                .build())
        .layer(output(neurons, shape))
        .setInputType(InputType.convolutionalFlat(shape.height(), shape.width(), shape.channels()))
        .build();
  }

  private void checkImages(Shape shape) {
    if (!shape.isImage()) {
      throw new InvalidModelException(
          "model "
              + presetName()
              + ": needs images, but the data has rows of "
              + shape.features()
              + " features; use mlp or logistic");
    }
    if (Math.min(shape.height(), shape.width()) < CNN_LEAST_SIDE) {
      throw new InvalidModelException(
          "model "
              + presetName()
              + ": images of "
              + shape.height()
              + "x"
              + shape.width()
              + ": must be 8x8 or larger, as each of three poolings halves them");
    }
  }

  NeuralNetConfiguration.Builder builder(Shape shape, long seed) {
    double rate = shape.hasValues() ? learningRateOfValues : learningRate;
    return new NeuralNetConfiguration.Builder()
        .seed(seed)
        .updater(UpdaterSpec.of("momentum", OptionalDouble.of(rate)).toDeeplearning4j())
        .weightInit(WeightInit.XAVIER);
  }

  private static OutputLayer output(int inputs, Shape shape) {
    LossFunction loss = shape.hasValues() ? LossFunction.MSE : LossFunction.NEGATIVELOGLIKELIHOOD;
    return new OutputLayer.Builder(loss)
        .nIn(inputs)
        .nOut(shape.outputs())
        .activation(shape.hasValues() ? Activation.IDENTITY : Activation.SOFTMAX)
        .build();
  }

  private static ConvolutionLayer convolution(int kernels) {
    return new ConvolutionLayer.Builder(5, 5)
        .stride(1, 1)
        .nOut(kernels)
        .convolutionMode(ConvolutionMode.Same)
        .activation(Activation.RELU)
        .weightInit(WeightInit.RELU)
        .build();
  }

  private static SubsamplingLayer pooling() {
    return new SubsamplingLayer.Builder(PoolingType.MAX).kernelSize(2, 2).stride(2, 2).build();
  }
}
