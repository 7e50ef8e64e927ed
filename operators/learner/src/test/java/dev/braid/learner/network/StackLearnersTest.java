package dev.braid.learner.network;

import static dev.braid.learner.network.LearnerComparison.assertSame;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration.ListBuilder;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * Tests models with normalisation, dropout, activations and poolings of all kinds, with either
 * learner.
 */
class StackLearnersTest {

  private static final List<Activation> ACTIVATIONS =
      List.of(
          Activation.RELU,
          Activation.LEAKYRELU,
          Activation.ELU,
          Activation.TANH,
          Activation.SIGMOID,
          Activation.GELU,
          Activation.SWISH,
          Activation.SELU,
          Activation.HARDSIGMOID,
          Activation.IDENTITY);

  /** Tests rows, through fully connected layers with any layers between them. */
  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void rowsAreDeeplearning4jsUpToRounding(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = Shape.rows(5 + random.nextInt(20), 3);
    ListBuilder layers = settings(random).list();
    if (random.nextInt(3) == 0) {
      // This is the only shape-preserving layer with which Deeplearning4j lets a model begin.
      layers.layer(normalisation(random));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      layers.layer(dropped(new DenseLayer.Builder().nOut(4 + random.nextInt(30)), random));
      addSome(layers, random);
    }
    layers.layer(output(random)).setInputType(InputType.feedForward(shape.features()));
    check(layers, shape, random, seed);
  }

  /** Tests images, through all kinds of layers for them. */
  @Property(tries = 12, shrinking = ShrinkingMode.OFF)
  void imagesAreDeeplearning4jsUpToRounding(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape = new Shape(1 + random.nextInt(3), 9 + random.nextInt(4), 9 + random.nextInt(4), 3);
    ListBuilder layers = settings(random).list();
    if (random.nextInt(3) == 0) {
      // This is the only shape-preserving layer with which Deeplearning4j lets a model begin.
      layers.layer(normalisation(random));
    }
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      layers.layer(random.nextInt(3) > 0 ? convolution(random) : pooling(random));
      addSome(layers, random);
    }
    if (random.nextBoolean()) {
      PoolingType type = random.nextBoolean() ? PoolingType.MAX : PoolingType.AVG;
      layers.layer(new GlobalPoolingLayer.Builder(type).build());
      addSome(layers, random);
    }
    if (random.nextBoolean()) {
      layers.layer(dropped(new DenseLayer.Builder().nOut(6), random));
      addSome(layers, random);
    }
    layers
        .layer(output(random))
        .setInputType(
            random.nextBoolean()
                ? InputType.convolutionalFlat(shape.height(), shape.width(), shape.channels())
                : InputType.convolutional(shape.height(), shape.width(), shape.channels()));
    check(layers, shape, random, seed);
  }

  private static void check(ListBuilder layers, Shape shape, Random random, long seed) {
    int size = 2 + random.nextInt(30);
    assertSame(
        Learner.class,
        TestModels.spec(layers.build()),
        shape,
        List.of(
            TestModels.batch(shape, size, seed),
            TestModels.sparseBatch(shape, 7, seed),
            TestModels.batch(shape, size + 3, seed + 1)),
        // Normalisation divides by small deviations, and Deeplearning4j adds in floats.
        1e-4);
  }

  private static NeuralNetConfiguration.Builder settings(Random random) {
    NeuralNetConfiguration.Builder settings = new NeuralNetConfiguration.Builder().seed(5);
    return random.nextBoolean() ? settings.l2(0.01).l1(0.001) : settings;
  }

  /** Adds none, one or two layers that change no shape. */
  private static void addSome(ListBuilder layers, Random random) {
    for (int i = random.nextInt(3); i > 0; i--) {
      switch (random.nextInt(3)) {
        case 0 -> layers.layer(normalisation(random));
        case 1 ->
            layers.layer(new ActivationLayer.Builder().activation(activation(random)).build());
        default -> layers.layer(new DropoutLayer.Builder(0.3 + 0.7 * random.nextFloat()).build());
      }
    }
  }

  private static Layer normalisation(Random random) {
    BatchNormalization.Builder builder =
        new BatchNormalization.Builder()
            .decay(random.nextFloat())
            .eps(0.001 + 0.2 * random.nextFloat())
            .useLogStd(random.nextBoolean());
    if (random.nextBoolean()) {
      builder.lockGammaBeta(true).gamma(0.5 + random.nextFloat()).beta(random.nextFloat());
    }
    return builder.build();
  }

  private static Activation activation(Random random) {
    return ACTIVATIONS.get(random.nextInt(ACTIVATIONS.size()));
  }

  private static Layer dropped(DenseLayer.Builder dense, Random random) {
    dense.activation(activation(random)).hasBias(random.nextBoolean());
    return random.nextBoolean() ? dense.dropOut(0.7).build() : dense.build();
  }

  private static Layer output(Random random) {
    OutputLayer.Builder output =
        new OutputLayer.Builder(LossFunction.MCXENT).nOut(3).activation(Activation.SOFTMAX);
    return random.nextBoolean() ? output.dropOut(0.8).build() : output.build();
  }

  private static Layer convolution(Random random) {
    ConvolutionLayer.Builder convolution =
        new ConvolutionLayer.Builder(1 + random.nextInt(3), 1 + random.nextInt(3))
            .convolutionMode(mode(random))
            .nOut(1 + random.nextInt(20))
            .activation(activation(random));
    return random.nextInt(3) == 0 ? convolution.dropOut(0.6).build() : convolution.build();
  }

  private static Layer pooling(Random random) {
    ConvolutionMode mode = mode(random);
    int border = mode == ConvolutionMode.Same ? 0 : random.nextInt(2);
    return new SubsamplingLayer.Builder(random.nextInt(3) == 0 ? PoolingType.MAX : PoolingType.AVG)
        .kernelSize(2, 3)
        .stride(1 + random.nextInt(2), 1 + random.nextInt(2))
        .padding(border, border)
        .convolutionMode(mode)
        .build();
  }

  private static ConvolutionMode mode(Random random) {
    return random.nextBoolean() ? ConvolutionMode.Same : ConvolutionMode.Truncate;
  }

  /** Sums over images have a test of their own: they exceed the range of some activations. */
  @Test
  void sumsOverImagesAreDeeplearning4jsUpToRounding() {
    Random random = new Random(3);
    ListBuilder layers =
        settings(random)
            .list()
            .layer(convolution(random))
            .layer(new GlobalPoolingLayer.Builder(PoolingType.SUM).build())
            .layer(output(random));
    layers.setInputType(InputType.convolutionalFlat(5, 6, 2));
    check(layers, new Shape(2, 5, 6, 3), random, 3);
  }

  /** The time steps are lines of images, or pieces of rows. */
  @Test
  void sequencesAreDeeplearning4js() {
    for (Shape shape : List.of(new Shape(1, 6, 4, 3), Shape.rows(24, 3))) {
      ListBuilder layers =
          new NeuralNetConfiguration.Builder()
              .seed(5)
              .list()
              .layer(new LastTimeStep(new LSTM.Builder().nIn(4).nOut(5).dropOut(0.8).build()))
              .layer(output(new Random(1)));
      layers.setInputType(InputType.recurrent(4, 6));
      ModelSpec spec = TestModels.spec(layers.build());
      try (Learner learner = Learners.create(spec, shape)) {
        assertThat(learner).isInstanceOf(DeepLearner.class);
      }
    }
  }
}
