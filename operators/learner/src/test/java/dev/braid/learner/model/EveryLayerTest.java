package dev.braid.learner.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.Batch;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.network.Learners;
import dev.braid.learner.optimiser.Clipping;
import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.structure.ParameterOrder;
import dev.braid.learner.structure.RecurrentLayers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import net.jqwik.api.Example;
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
import org.deeplearning4j.nn.conf.layers.LocalResponseNormalization;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.ZeroPaddingLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.deeplearning4j.nn.conf.layers.recurrent.SimpleRnn;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * Tests that a step with any layer that a model may have equals the step of Deeplearning4j's {@code
 * fit}.
 */
class EveryLayerTest {

  private static final int CLASSES = 3;
  private static final double LEARNING_RATE = 0.1;

  /** Tolerance relative to the largest change of a parameter: Deeplearning4j adds in floats. */
  private static final double ROUNDING = 2e-4;

  /**
   * @param steps number of time steps of a sequence; 0 if samples are not sequences
   */
  private record Model(ListBuilder layers, Shape shape, int steps) {}

  /** Creates a model around a layer of each class. */
  private static final Map<Class<? extends Layer>, Function<Random, Model>> CASES = cases();

  private static Map<Class<? extends Layer>, Function<Random, Model>> cases() {
    Map<Class<? extends Layer>, Function<Random, Model>> cases = new HashMap<>();
    cases.put(DenseLayer.class, random -> rows(random, dense(random)));
    cases.put(OutputLayer.class, EveryLayerTest::rows);
    cases.put(ActivationLayer.class, random -> either(random, new ActivationLayer(any(random))));
    cases.put(
        BatchNormalization.class,
        random ->
            either(
                random, new BatchNormalization.Builder().useLogStd(random.nextBoolean()).build()));
    cases.put(DropoutLayer.class, random -> either(random, new DropoutLayer.Builder(1.0).build()));
    cases.put(ConvolutionLayer.class, random -> images(random, convolution(random)));
    cases.put(SubsamplingLayer.class, random -> images(random, pooling(random)));
    cases.put(
        ZeroPaddingLayer.class,
        random ->
            images(
                random,
                new ZeroPaddingLayer.Builder(
                        random.nextInt(3), random.nextInt(3), random.nextInt(3), random.nextInt(3))
                    .build()));
    cases.put(GlobalPoolingLayer.class, random -> images(random, globalPooling(random)));
    cases.put(
        LocalResponseNormalization.class,
        random ->
            images(
                random,
                // The normalisation spans at most five channels, and there are five.
                new ConvolutionLayer.Builder(2, 2).nOut(5).activation(any(random)).build(),
                new LocalResponseNormalization.Builder()
                    .k(1 + random.nextInt(3))
                    .n(1 + 2 * random.nextInt(3))
                    .alpha(0.01 + random.nextDouble())
                    .beta(0.25 + random.nextDouble())
                    .build()));
    cases.put(LSTM.class, random -> sequences(random, lstm(random), overTime(random)));
    cases.put(SimpleRnn.class, random -> sequences(random, simple(random), overTime(random)));
    cases.put(
        LastTimeStep.class,
        random ->
            random.nextBoolean()
                ? sequences(random, new LastTimeStep(lstm(random)))
                : sequences(random, new LastTimeStep(simple(random))));
    return cases;
  }

  /** Every new layer must be compared, too. */
  @Test
  void everyLayerHasACase() {
    Set<Class<? extends Layer>> layers = new HashSet<>(ModelCheck.LAYERS);
    layers.addAll(RecurrentLayers.INNER);
    layers.add(RecurrentLayers.WRAPPER);
    assertThat(CASES).containsOnlyKeys(layers);
  }

  @Example
  void aSampleThatIsNormalisedByItself() {
    assertThat(check(BatchNormalization.class, 9723374368857L)).isTrue();
  }

  @Example
  void twoConvolutionsThatLeaveLittle() {
    for (Class<? extends Layer> layer :
        List.of(ConvolutionLayer.class, SubsamplingLayer.class, LocalResponseNormalization.class)) {
      assertThat(check(layer, -334)).isTrue();
    }
  }

  @Example
  void aModelThatIsSureHasNoStep() {
    assertThat(check(GlobalPoolingLayer.class, 24034)).isFalse();
  }

  /** Each try uses all layers, so a few tries test dozens of models. */
  @Property(tries = 4, shrinking = ShrinkingMode.OFF)
  void aStepIsDeeplearning4jsFit(@ForAll long seed) {
    long changed = CASES.keySet().stream().filter(layer -> check(layer, seed)).count();
    // A random model may be certain of the right class, to the last bit; it then has no step.
    assertThat(changed).isGreaterThan(CASES.size() / 2);
  }

  private static boolean check(Class<? extends Layer> layer, long seed) {
    return check(layer.getSimpleName(), CASES.get(layer).apply(new Random(seed)), seed);
  }

  /** Compares a step. Returns whether it changes anything. */
  private static boolean check(String name, Model model, long seed) {
    ModelSpec spec = TestModels.spec(model.layers.build());
    Batch batch = TestModels.batch(model.shape, rows(name, seed), seed);
    ModelCheck.check(name, spec.parsed());
    try (Learner learner = Learners.create(spec, model.shape)) {
      float[] before = TestModels.initial(learner);
      MultiLayerNetwork network = TestModels.network(spec, before);
      float[] gradient = new float[before.length];
      learner.gradient(before, batch, gradient);
      float[] after = before.clone();
      new Optimiser(
              spec.updater(),
              EpochSchedule.CONSTANT,
              Clipping.NONE,
              spec.parameters(),
              batch.size())
          .create(Pace.STEPS)
          .step(after, new float[0][], 0, new Step(gradient, batch.size(), 0));

      network.fit(features(model, batch), TestModels.labels(batch, CLASSES));
      float[] theirs =
          ParameterOrder.of(spec.parsed())
              .fromDeeplearning4j(NativeVectors.toArray(network.params()));
      network.close();
      double largest = 0;
      double difference = 0;
      for (int i = 0; i < before.length; i++) {
        largest = Math.max(largest, Math.abs(theirs[i] - before[i]));
        difference = Math.max(difference, Math.abs(theirs[i] - after[i]));
      }
      assertThat(difference)
          .as("%s, seed %d: how far a step leads from Deeplearning4j's", name, seed)
          .isLessThanOrEqualTo(ROUNDING * largest + 1e-6);
      return largest > 0;
    }
  }

  private static int rows(String name, long seed) {
    // A single sample is normalised to 0, or to a rounding error on either side of it. If an
    // activation has a kink at 0, either slope is right.
    int fewest = name.equals(BatchNormalization.class.getSimpleName()) ? 2 : 1;
    return Math.max(fewest, 1 + new Random(seed).nextInt(12));
  }

  /** Returns rows, from which a model makes images itself; for sequences, feature after feature. */
  private static INDArray features(Model model, Batch batch) {
    int rows = batch.size();
    float[] values = batch.features().toArray();
    if (model.steps == 0) {
      return Nd4j.create(values, new long[] {rows, model.shape.features()});
    }
    int width = model.shape.features() / model.steps;
    return Nd4j.create(values, new long[] {rows, model.steps, width}).permute(0, 2, 1).dup('c');
  }

  // ---- models ----------------------------------------------------------------------------------

  private static Model either(Random random, Layer layer) {
    return random.nextBoolean() ? rows(random, layer) : images(random, layer);
  }

  private static Model rows(Random random, Layer... layers) {
    int features = 3 + random.nextInt(9);
    ListBuilder model = settings(random).layer(dense(random));
    for (Layer layer : layers) {
      model.layer(layer);
    }
    if (random.nextBoolean()) {
      model.layer(dense(random));
    }
    return new Model(
        model.layer(output(random)).setInputType(InputType.feedForward(features)),
        Shape.rows(features, CLASSES),
        0);
  }

  private static Model images(Random random, Layer... layers) {
    // Two convolutions of five rows with a stride of two leave two rows for a pooling.
    Shape shape =
        new Shape(1 + random.nextInt(2), 17 + random.nextInt(3), 11 + random.nextInt(3), CLASSES);
    ListBuilder model = settings(random);
    boolean mayBegin = !(layers[0] instanceof ActivationLayer || layers[0] instanceof DropoutLayer);
    if (random.nextInt(4) > 0 || !mayBegin) {
      model.layer(convolution(random));
    }
    for (Layer layer : layers) {
      model.layer(layer);
    }
    boolean isFlat = layers[0] instanceof GlobalPoolingLayer;
    if (!isFlat && random.nextBoolean()) {
      model.layer(
          new SubsamplingLayer.Builder(PoolingType.MAX).kernelSize(2, 2).stride(1, 1).build());
    }
    if (random.nextBoolean()) {
      model.layer(dense(random));
    }
    return new Model(
        model
            .layer(output(random))
            .setInputType(
                InputType.convolutionalFlat(shape.height(), shape.width(), shape.channels())),
        shape,
        0);
  }

  private static Model sequences(Random random, Layer... layers) {
    int steps = 2 + random.nextInt(5);
    int features = 2 + random.nextInt(4);
    ListBuilder model = settings(random);
    for (Layer layer : layers) {
      model.layer(layer);
    }
    return new Model(
        model.layer(output(random)).setInputType(InputType.recurrent(features, steps)),
        random.nextBoolean()
            ? new Shape(1, steps, features, CLASSES)
            : Shape.rows(steps * features, CLASSES),
        steps);
  }

  private static ListBuilder settings(Random random) {
    NeuralNetConfiguration.Builder settings =
        new NeuralNetConfiguration.Builder().seed(5).updater(new Sgd(LEARNING_RATE));
    return (random.nextBoolean() ? settings.l2(0.01).l1(0.001) : settings).list();
  }

  private static Layer dense(Random random) {
    return new DenseLayer.Builder()
        .nOut(2 + random.nextInt(6))
        .activation(any(random))
        .hasBias(random.nextBoolean())
        .build();
  }

  private static Layer output(Random random) {
    return random.nextBoolean()
        ? new OutputLayer.Builder(LossFunction.MCXENT)
            .nOut(CLASSES)
            .activation(Activation.SOFTMAX)
            .build()
        : new OutputLayer.Builder(LossFunction.MSE)
            .nOut(CLASSES)
            .activation(Activation.SIGMOID)
            .build();
  }

  private static Layer convolution(Random random) {
    ConvolutionMode mode = mode(random);
    int dilation = 1 + random.nextInt(2);
    return new ConvolutionLayer.Builder(1 + random.nextInt(3), 1 + random.nextInt(3))
        .stride(1 + random.nextInt(2), 1)
        .dilation(dilation, 1 + random.nextInt(2))
        .convolutionMode(mode)
        .nOut(1 + random.nextInt(3))
        .activation(any(random))
        .build();
  }

  private static Layer pooling(Random random) {
    // Sums over windows differ from Deeplearning4j's.
    PoolingType type =
        List.of(PoolingType.MAX, PoolingType.AVG, PoolingType.PNORM).get(random.nextInt(3));
    SubsamplingLayer.Builder builder =
        new SubsamplingLayer.Builder(type)
            .kernelSize(2, 1 + random.nextInt(2))
            .stride(1 + random.nextInt(2), 1)
            .convolutionMode(mode(random));
    if (type == PoolingType.PNORM) {
      builder.pnorm(1 + random.nextInt(3));
    }
    return builder.build();
  }

  private static Layer globalPooling(Random random) {
    return new GlobalPoolingLayer.Builder(type(random)).pnorm(1 + random.nextInt(3)).build();
  }

  private static Layer overTime(Random random) {
    return new GlobalPoolingLayer.Builder(type(random)).pnorm(2).build();
  }

  private static LSTM lstm(Random random) {
    return new LSTM.Builder().nOut(2 + random.nextInt(4)).activation(Activation.TANH).build();
  }

  private static SimpleRnn simple(Random random) {
    return new SimpleRnn.Builder().nOut(2 + random.nextInt(4)).activation(Activation.TANH).build();
  }

  private static PoolingType type(Random random) {
    List<PoolingType> types =
        List.of(PoolingType.MAX, PoolingType.AVG, PoolingType.SUM, PoolingType.PNORM);
    return types.get(random.nextInt(types.size()));
  }

  private static ConvolutionMode mode(Random random) {
    return random.nextBoolean() ? ConvolutionMode.Same : ConvolutionMode.Truncate;
  }

  /** Returns an activation whose slope is not 0 over long intervals. */
  private static Activation any(Random random) {
    List<Activation> functions =
        List.of(Activation.TANH, Activation.ELU, Activation.LEAKYRELU, Activation.SIGMOID);
    return functions.get(random.nextInt(functions.size()));
  }
}
