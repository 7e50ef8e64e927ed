package dev.braid.learner;

import java.util.Locale;
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

/** The models that need no file. */
enum Presets {
  /** Softmax regression: one layer. */
  LOGISTIC {
    @Override
    MultiLayerConfiguration configuration(Shape shape, long seed) {
      return builder(seed).list().layer(output(shape.features(), shape.classes())).build();
    }
  },

  /** One hidden layer of 512 rectified units: 407,050 parameters for MNIST. */
  MLP {
    @Override
    MultiLayerConfiguration configuration(Shape shape, long seed) {
      return builder(seed)
          .list()
          .layer(
              new DenseLayer.Builder()
                  .nIn(shape.features())
                  .nOut(512)
                  .activation(Activation.RELU)
                  .weightInit(WeightInit.RELU)
                  .build())
          .layer(output(512, shape.classes()))
          .build();
    }
  },

  /**
   * Three convolutions of 10, 20 and 100 kernels between max-poolings, and 200 neurons: the MNIST
   * network of Ako (Watcharapichat et al., SoCC 2016) §5.1, which does not say how large kernels
   * are. Here they are 5x5, with the borders padded so that three fit on a digit.
   */
  CNN {
    @Override
    MultiLayerConfiguration configuration(Shape shape, long seed) {
      if (!shape.isImage()) {
        throw new InvalidModelException(
            "model cnn: rows of "
                + shape.features()
                + " features: images are needed; mlp and logistic take rows");
      }
      if (Math.min(shape.height(), shape.width()) < CNN_LEAST_SIDE) {
        throw new InvalidModelException(
            "model cnn: images of "
                + shape.height()
                + "x"
                + shape.width()
                + ": 8x8 or more is needed, since each of three poolings halves them");
      }
      return builder(seed)
          .list()
          .layer(convolution(10))
          .layer(pooling())
          .layer(convolution(20))
          .layer(pooling())
          .layer(convolution(100))
          .layer(pooling())
          .layer(
              new DenseLayer.Builder()
                  .nOut(200)
                  .activation(Activation.RELU)
                  .weightInit(WeightInit.RELU)
                  .build())
          .layer(output(200, shape.classes()))
          .setInputType(
              InputType.convolutionalFlat(shape.height(), shape.width(), shape.channels()))
          .build();
    }
  };

  private static final int CNN_LEAST_SIDE = 8;

  abstract MultiLayerConfiguration configuration(Shape shape, long seed);

  /** The name on the command line. */
  String presetName() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Set<String> names() {
    Set<String> names = new TreeSet<>();
    for (Presets preset : values()) {
      names.add(preset.presetName());
    }
    return names;
  }

  private static NeuralNetConfiguration.Builder builder(long seed) {
    return new NeuralNetConfiguration.Builder()
        .seed(seed)
        .updater(new UpdaterSpec.Sgd(0.1).toDeeplearning4j())
        .weightInit(WeightInit.XAVIER);
  }

  private static OutputLayer output(int inputs, int classes) {
    return new OutputLayer.Builder(LossFunction.NEGATIVELOGLIKELIHOOD)
        .nIn(inputs)
        .nOut(classes)
        .activation(Activation.SOFTMAX)
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
