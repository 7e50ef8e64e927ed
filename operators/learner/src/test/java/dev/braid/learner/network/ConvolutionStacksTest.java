package dev.braid.learner.network;

import static dev.braid.learner.network.LearnerComparison.assertSame;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

class ConvolutionStacksTest {

  private static final Shape DIGITS = new Shape(1, 28, 28, 10);

  /** Includes constant images, in which many pixels are the largest of their window. */
  @Test
  void presetIsDeeplearning4jUpToRounding() {
    List<Batch> batches = new ArrayList<>();
    for (int size : new int[] {50, 1, 17}) {
      batches.add(TestModels.batch(DIGITS, size, size));
      batches.add(TestModels.sparseBatch(DIGITS, size, size));
    }
    batches.add(TestModels.batch(DIGITS, new float[3 * 784], new int[3]));
    assertSame(StackLearner.class, Models.of("cnn", DIGITS, 3), DIGITS, batches);
  }

  /** Uses any sizes, strides and borders. */
  @Property(tries = 15, shrinking = ShrinkingMode.OFF)
  void anyStackIsDeeplearning4jUpToRounding(@ForAll long seed) {
    Random random = new Random(seed);
    Shape shape =
        new Shape(1 + random.nextInt(3), 15 + random.nextInt(5), 15 + random.nextInt(5), 3);
    ModelSpec spec = spec(random, shape);
    int size = 1 + random.nextInt(40);
    assertSame(
        StackLearner.class,
        spec,
        shape,
        List.of(
            TestModels.batch(shape, size, seed),
            TestModels.sparseBatch(shape, 3, seed),
            TestModels.batch(shape, size, seed)));
  }

  private static ModelSpec spec(Random random, Shape shape) {
    NeuralNetConfiguration.Builder settings = new NeuralNetConfiguration.Builder().seed(5);
    if (random.nextBoolean()) {
      settings.l2(0.01).l1(0.001);
    }
    NeuralNetConfiguration.ListBuilder layers = settings.list();
    int images = 1 + random.nextInt(3);
    for (int i = 0; i < images; i++) {
      // Three layers with windows of 3 and strides of 2 leave one of 15 lines.
      layers.layer(random.nextInt(3) > 0 ? convolution(random) : pooling(random));
    }
    if (random.nextBoolean()) {
      layers.layer(new DenseLayer.Builder().nOut(6).activation(Activation.TANH).build());
    }
    layers.layer(
        new OutputLayer.Builder(LossFunction.MCXENT)
            .nOut(shape.classes())
            .activation(Activation.SOFTMAX)
            .build());
    layers.setInputType(
        random.nextBoolean()
            ? InputType.convolutionalFlat(shape.height(), shape.width(), shape.channels())
            : InputType.convolutional(shape.height(), shape.width(), shape.channels()));
    return TestModels.spec(layers.build());
  }

  private static Layer convolution(Random random) {
    ConvolutionMode mode = mode(random);
    int most = mode == ConvolutionMode.Same ? 1 : 2;
    return new ConvolutionLayer.Builder(side(random), side(random))
        .stride(1 + random.nextInt(2), 1 + random.nextInt(2))
        .padding(random.nextInt(most), random.nextInt(most))
        .convolutionMode(mode)
        .nOut(1 + random.nextInt(5))
        .hasBias(random.nextBoolean())
        .activation(random.nextBoolean() ? Activation.RELU : Activation.IDENTITY)
        .build();
  }

  private static Layer pooling(Random random) {
    ConvolutionMode mode = mode(random);
    int width = 1 + random.nextInt(2);
    return new SubsamplingLayer.Builder(PoolingType.MAX)
        .kernelSize(2, width)
        .stride(1 + random.nextInt(2), 1 + random.nextInt(2))
        .padding(
            mode == ConvolutionMode.Same ? 0 : random.nextInt(2),
            mode == ConvolutionMode.Same ? 0 : random.nextInt(width))
        .convolutionMode(mode)
        .build();
  }

  private static int side(Random random) {
    return 1 + random.nextInt(3);
  }

  private static ConvolutionMode mode(Random random) {
    return random.nextBoolean() ? ConvolutionMode.Same : ConvolutionMode.Truncate;
  }

  /** Models that the learner does not support are left to Deeplearning4j. */
  @Test
  void othersAreDeeplearning4js() {
    assertThat(learner(new ConvolutionLayer.Builder(2, 2).activation(Activation.SOFTMAX)))
        .isEqualTo(DeepLearner.class);
    assertThat(learner(new ConvolutionLayer.Builder(2, 2).dilation(2, 2)))
        .isEqualTo(DeepLearner.class);
    assertThat(learner(new ConvolutionLayer.Builder(2, 2).activation(Activation.RELU)))
        .isEqualTo(StackLearner.class);
  }

  private static Class<?> learner(ConvolutionLayer.Builder convolution) {
    Shape shape = new Shape(1, 8, 8, 3);
    ModelSpec spec =
        TestModels.spec(
            new NeuralNetConfiguration.Builder()
                .list()
                .layer(convolution.nOut(2).build())
                .layer(
                    new OutputLayer.Builder(LossFunction.MCXENT)
                        .nOut(3)
                        .activation(Activation.SOFTMAX)
                        .build())
                .setInputType(InputType.convolutionalFlat(8, 8, 1))
                .build());
    try (Learner learner = Learners.create(spec, shape)) {
      return learner.getClass();
    }
  }
}
