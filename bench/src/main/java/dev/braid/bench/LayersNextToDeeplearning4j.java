package dev.braid.bench;

import dev.braid.learner.Batch;
import dev.braid.learner.Clipping;
import dev.braid.learner.EpochSchedule;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.Learners;
import dev.braid.learner.ModelSpec;
import dev.braid.learner.Optimiser;
import dev.braid.learner.Pace;
import dev.braid.learner.Shape;
import dev.braid.learner.Updater;
import dev.braid.learner.UpdaterSpec;
import dev.braid.vector.Range;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
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
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A gradient and a step of plain SGD, by Braid and by Deeplearning4j's {@code fit}, in turns, on
 * one thread each: of a small model around each layer that Braid has.
 *
 * <p>Images are noise, none of whose pixels is 0: what Braid saves where features are 0 is not in
 * these figures. The batch of Deeplearning4j lies ready in native memory.
 */
@Command(
    name = "LayersNextToDeeplearning4j",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description =
        "Milliseconds a batch of a model around each layer: Braid next to Deeplearning4j.")
public final class LayersNextToDeeplearning4j implements Callable<Integer> {

  private static final int SIDE = 28;
  private static final int CLASSES = 10;
  private static final Shape SHAPE = new Shape(1, SIDE, SIDE, CLASSES);
  private static final double RATE = 0.001;

  @Option(names = "--only", description = "Layers whose name has this in it.", defaultValue = "")
  private String only;

  @Option(names = "--batch", defaultValue = "100", description = "Samples a batch.")
  private int size;

  @Option(names = "--turns", defaultValue = "7", description = "Measured turns of each.")
  private int turns;

  @Option(names = "--millis", defaultValue = "400", description = "Milliseconds a turn, at least.")
  private int millis;

  /** Runs the benchmark; {@code --help} lists the options. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new LayersNextToDeeplearning4j()).execute(args));
  }

  @Override
  public Integer call() {
    System.out.print(Conditions.here());
    System.out.println("# layer braid_ms deeplearning4j_ms times_as_fast");
    models()
        .forEach(
            (name, model) -> {
              if (name.contains(only)) {
                measure(name, model);
              }
            });
    return 0;
  }

  private void measure(String name, MultiLayerConfiguration model) {
    Batch batch = batch();
    try (BraidSteps braid = new BraidSteps(model, batch);
        Deeplearning4jSteps theirs = new Deeplearning4jSteps(model, batch)) {
      // Until the JIT compiler is done with both.
      for (int i = 0; i < 3; i++) {
        millisPerStep(braid);
        millisPerStep(theirs);
      }
      double[] own = new double[turns];
      double[] other = new double[turns];
      for (int turn = 0; turn < turns; turn++) {
        own[turn] = millisPerStep(braid);
        other[turn] = millisPerStep(theirs);
      }
      double[] ratios = IntStream.range(0, turns).mapToDouble(i -> other[i] / own[i]).toArray();
      System.out.printf(
          Locale.ROOT,
          "%-28s %8.3f %8.3f %6.2f%n",
          name,
          Stats.of(own).median(),
          Stats.of(other).median(),
          Stats.of(ratios).median());
    }
  }

  private double millisPerStep(Runnable step) {
    long begin = System.nanoTime();
    int steps = 0;
    double elapsed;
    do {
      step.run();
      steps++;
      elapsed = (System.nanoTime() - begin) / 1e6;
    } while (elapsed < millis);
    return elapsed / steps;
  }

  private Batch batch() {
    Random random = new Random(1);
    float[] features = new float[size * SHAPE.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = 0.01f + random.nextFloat();
    }
    return new Batch(
        0,
        IntStream.range(0, size).toArray(),
        Features.dense(SHAPE.features(), features),
        random.ints(size, 0, CLASSES).toArray(),
        false);
  }

  // ---- who computes ----------------------------------------------------------------------------

  private static final class BraidSteps implements Runnable, AutoCloseable {
    private final Learner learner;
    private final Updater updater;
    private final Batch batch;
    private final float[] weights;
    private final float[] gradient;
    private long steps;

    BraidSteps(MultiLayerConfiguration model, Batch batch) {
      ModelSpec spec = new ModelSpec("model", model.toJson(), 1, new float[0], new float[0][], 0);
      this.learner = Learners.create(spec, SHAPE);
      this.updater =
          new Optimiser(
                  UpdaterSpec.of("sgd", OptionalDouble.of(RATE)),
                  EpochSchedule.CONSTANT,
                  Clipping.NONE,
                  spec.parameters(),
                  0)
              .create(Pace.STEPS);
      this.batch = batch;
      this.weights = new float[learner.length()];
      this.gradient = new float[weights.length];
      learner.initialWeights(weights);
    }

    @Override
    public void run() {
      learner.gradient(weights, batch, gradient);
      updater.step(
          weights, new float[0][], Range.ofLength(weights.length), gradient, batch.size(), steps++);
    }

    @Override
    public void close() {
      learner.close();
    }
  }

  private static final class Deeplearning4jSteps implements Runnable, AutoCloseable {
    private final MultiLayerNetwork network;
    private final DataSet data;

    Deeplearning4jSteps(MultiLayerConfiguration model, Batch batch) {
      network = new MultiLayerNetwork(MultiLayerConfiguration.fromJson(model.toJson()));
      network.init();
      boolean ofSequences = model.getConf(0).getLayer() instanceof LSTM;
      long[] shape =
          ofSequences
              ? new long[] {batch.size(), SIDE, SIDE}
              : new long[] {batch.size(), SHAPE.features()};
      INDArray labels = Nd4j.zeros(batch.size(), CLASSES);
      for (int i = 0; i < batch.size(); i++) {
        labels.putScalar(i, batch.labels()[i], 1);
      }
      data = new DataSet(Nd4j.create(batch.features().toArray(), shape), labels);
    }

    @Override
    public void run() {
      network.fit(data);
    }

    @Override
    public void close() {
      network.close();
    }
  }

  // ---- what is computed ------------------------------------------------------------------------

  private static Map<String, MultiLayerConfiguration> models() {
    Map<String, MultiLayerConfiguration> models = new LinkedHashMap<>();
    models.put("dense 512 relu", ofRows(dense(512, Activation.RELU)));
    models.put(
        "dense 2x256 relu", ofRows(dense(256, Activation.RELU), dense(256, Activation.RELU)));
    for (Activation activation :
        List.of(
            Activation.IDENTITY,
            Activation.LEAKYRELU,
            Activation.ELU,
            Activation.TANH,
            Activation.SIGMOID,
            Activation.GELU,
            Activation.SOFTPLUS)) {
      models.put(
          "dense 512 " + activation.name().toLowerCase(Locale.ROOT),
          ofRows(dense(512, activation)));
    }
    models.put(
        "dropout", ofRows(dense(512, Activation.RELU), new DropoutLayer.Builder(0.5).build()));
    models.put(
        "batch normalisation, rows",
        ofRows(dense(512, Activation.IDENTITY), new BatchNormalization(), activation()));
    models.put("convolution 5x5", ofImages(convolution(5, 1)));
    models.put("convolution 5x5, stride 2", ofImages(convolution(5, 2)));
    models.put("convolution 3x3, twice", ofImages(convolution(3, 1), convolution(3, 1)));
    models.put(
        "max pooling", ofImages(convolution(5, 1), pooling(SubsamplingLayer.PoolingType.MAX)));
    models.put(
        "average pooling", ofImages(convolution(5, 1), pooling(SubsamplingLayer.PoolingType.AVG)));
    models.put(
        "global pooling",
        ofImages(convolution(5, 1), new GlobalPoolingLayer.Builder(PoolingType.AVG).build()));
    models.put(
        "batch normalisation, images",
        ofImages(convolution(5, 1), new BatchNormalization(), activation()));
    models.put(
        "lstm",
        model(
            InputType.recurrent(SIDE, SIDE),
            new LSTM.Builder().nOut(64).build(),
            new GlobalPoolingLayer.Builder(PoolingType.AVG).build()));
    return models;
  }

  private static Layer dense(int outputs, Activation activation) {
    return new DenseLayer.Builder().nOut(outputs).activation(activation).build();
  }

  private static Layer activation() {
    return new ActivationLayer.Builder().activation(Activation.RELU).build();
  }

  private static Layer convolution(int side, int stride) {
    return new ConvolutionLayer.Builder(side, side)
        .stride(stride, stride)
        .nOut(16)
        .convolutionMode(ConvolutionMode.Truncate)
        .activation(Activation.RELU)
        .build();
  }

  private static Layer pooling(SubsamplingLayer.PoolingType type) {
    return new SubsamplingLayer.Builder(type).kernelSize(2, 2).stride(2, 2).build();
  }

  private static MultiLayerConfiguration ofRows(Layer... layers) {
    return model(InputType.feedForward(SHAPE.features()), layers);
  }

  private static MultiLayerConfiguration ofImages(Layer... layers) {
    return model(InputType.convolutionalFlat(SIDE, SIDE, 1), layers);
  }

  private static MultiLayerConfiguration model(InputType input, Layer... layers) {
    NeuralNetConfiguration.ListBuilder list =
        new NeuralNetConfiguration.Builder().seed(1).updater(new Sgd(RATE)).list();
    for (Layer layer : layers) {
      list.layer(layer);
    }
    return list.layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nOut(CLASSES)
                .activation(Activation.SOFTMAX)
                .build())
        .setInputType(input)
        .build();
  }
}
