package dev.braid.bench;

import dev.braid.connectors.DataLocation;
import dev.braid.learner.Batch;
import dev.braid.learner.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.WorkspaceMode;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.nn.weights.WeightInit;
import org.deeplearning4j.optimize.solvers.accumulation.EncodedGradientsAccumulator;
import org.deeplearning4j.optimize.solvers.accumulation.EncodingHandler;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.residual.ResidualClippingPostProcessor;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.deeplearning4j.parallelism.ParallelWrapper.TrainingMode;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Deeplearning4j's own data-parallel training of the default model, the baseline for Braid's.
 *
 * <p>It gets every advantage that its API offers: workspaces on; no listeners; batches that are in
 * native memory, and are filled and shuffled outside the measured time; no prefetch thread, which
 * would only copy what is in memory and take a core from the workers ({@code --prefetch} turns it
 * on).
 *
 * <p>Prints one line per epoch, and one line per mode with the median over all epochs except the
 * warm-up.
 */
@Command(
    name = "ParallelWrapperBaseline",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description = "Trains 784-512-10 on MNIST with Deeplearning4j's ParallelWrapper.")
public final class ParallelWrapperBaseline implements Callable<Integer> {

  /** Deeplearning4j's mode of training. */
  enum Mode {
    /** A plain fit on one thread. */
    SINGLE,
    /** Workers train independently; weights and updater state are averaged every few batches. */
    AVERAGING,
    /** Workers send each other threshold-encoded updates, and keep the residual unclipped. */
    SHARED_GRADIENTS,
    /**
     * Like {@link #SHARED_GRADIENTS}, with a clipped residual, the default of the training master
     * for Spark.
     */
    SHARED_GRADIENTS_CLIPPED;

    boolean sharesGradients() {
      return this == SHARED_GRADIENTS || this == SHARED_GRADIENTS_CLIPPED;
    }

    TrainingMode theirs() {
      return this == AVERAGING ? TrainingMode.AVERAGING : TrainingMode.SHARED_GRADIENTS;
    }
  }

  /** Encodes updates as Deeplearning4j does, and counts what it passes to the other workers. */
  private static final class CountingHandler extends EncodingHandler {
    private static final long serialVersionUID = 1L;

    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    CountingHandler(Integer mostElements, boolean clips) {
      super(
          new AdaptiveThresholdAlgorithm(),
          clips ? new ResidualClippingPostProcessor(CLIP_THRESHOLDS, CLIP_STEPS) : null,
          mostElements,
          false);
    }

    @Override
    protected void sendMessage(INDArray message, int iteration, int epoch) {
      updates.incrementAndGet();
      bytes.addAndGet(message.length() * message.dataType().width());
      super.sendMessage(message, iteration, epoch);
    }

    @Override
    public String toString() {
      return "%d updates of %.0f bytes on average"
          .formatted(updates.get(), (double) bytes.get() / Math.max(1, updates.get()));
    }
  }

  /** Optimiser of the training. */
  enum UpdaterType {
    SGD,
    MOMENTUM,
    ADAM
  }

  private static final int TEST_BATCH = 1000;

  /**
   * Deeplearning4j's clipping of residuals: limit in thresholds, and number of gradients between
   * two clippings.
   */
  private static final double CLIP_THRESHOLDS = 5;

  private static final int CLIP_STEPS = 5;

  @Option(
      names = "--data",
      description = {"As for braid train.", "Default: ${DEFAULT-VALUE}"})
  private String data = DataLocation.MNIST;

  @Option(
      names = "--modes",
      split = ",",
      defaultValue = "single,averaging,shared_gradients,shared_gradients_clipped",
      description = "What to measure: ${COMPLETION-CANDIDATES}.")
  private List<Mode> modes;

  @Option(names = "--workers", defaultValue = "2", description = "Worker threads.")
  private int workers;

  @Option(
      names = "--averaging-frequency",
      split = ",",
      defaultValue = "1,5",
      description = "Batches of a worker between two averagings; each is measured.")
  private List<Integer> averagingFrequencies;

  @Option(names = "--batch", defaultValue = "100", description = "Samples a worker and batch.")
  private int batch;

  @Option(names = "--epochs", defaultValue = "4", description = "Measured epochs.")
  private int epochs;

  @Option(
      names = "--warm-up",
      defaultValue = "1",
      description = "Epochs before those, trained but not in the median.")
  private int warmUp;

  @Option(names = "--updater", defaultValue = "SGD", description = "${COMPLETION-CANDIDATES}.")
  private UpdaterType updater;

  @Option(names = "--learning-rate", defaultValue = "0.1", description = "Learning rate.")
  private double learningRate;

  @Option(names = "--prefetch", defaultValue = "0", description = "Batches prefetched; 0: none.")
  private int prefetch;

  @Option(names = "--seed", defaultValue = "1", description = "Of first weights and shuffles.")
  private long seed;

  /** Runs the benchmark; {@code --help} lists the options. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new ParallelWrapperBaseline())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(args));
  }

  @Override
  public Integer call() throws Exception {
    System.out.print(Conditions.here());
    Samples training = DataLocation.of(data).openTrain();
    Samples test = DataLocation.of(data).openTest();
    List<DataSet> testBatches = allocate(test, TEST_BATCH);
    fill(testBatches, test, IntStream.range(0, test.size()).toArray());
    List<DataSet> batches = allocate(training, batch);
    System.out.println("# system mode epoch samples_per_second test_accuracy");
    for (Mode mode : modes) {
      if (mode == Mode.AVERAGING) {
        for (int frequency : averagingFrequencies) {
          measure("averaging/" + frequency, mode, frequency, training, batches, testBatches);
        }
      } else {
        measure(mode.name().toLowerCase(Locale.ROOT), mode, 1, training, batches, testBatches);
      }
    }
    return 0;
  }

  private void measure(
      String name,
      Mode mode,
      int averagingFrequency,
      Samples training,
      List<DataSet> batches,
      List<DataSet> testBatches) {
    MultiLayerNetwork network = new MultiLayerNetwork(model(training));
    network.init();
    Random random = new Random(seed);
    int[] order = IntStream.range(0, training.size()).toArray();
    double[] rates = new double[epochs];
    // One wrapper for all epochs, because it keeps the residuals of shared gradients.
    CountingHandler handler =
        new CountingHandler(mostElements(network), mode == Mode.SHARED_GRADIENTS_CLIPPED);
    ParallelWrapper wrapper =
        mode == Mode.SINGLE ? null : wrapper(network, mode, averagingFrequency, handler);
    for (int epoch = 0; epoch < warmUp + epochs; epoch++) {
      shuffle(order, random);
      fill(batches, training, order);
      InMemory source = new InMemory(batches, prefetch > 0);
      long begin = System.nanoTime();
      if (wrapper == null) {
        network.fit(source);
      } else {
        wrapper.fit(source); // Closes the wrapper's threads; the next epoch starts new ones.
      }
      double rate = training.size() / ((System.nanoTime() - begin) / 1e9);
      if (epoch >= warmUp) {
        rates[epoch - warmUp] = rate;
      }
      System.out.printf(
          Locale.ROOT,
          "deeplearning4j %s %d %.0f %.4f%n",
          name,
          epoch + 1,
          rate,
          accuracy(network, testBatches));
    }
    Stats stats = Stats.of(rates);
    System.out.printf(
        Locale.ROOT,
        "# %s: median %.0f min %.0f max %.0f samples/s over %d epochs%n",
        name,
        stats.median(),
        stats.min(),
        stats.max(),
        stats.count());
    if (mode.sharesGradients()) {
      System.out.println("# " + name + ": " + handler);
    }
  }

  /**
   * Returns the highest number of elements that ParallelWrapper's own encoder sends for a network.
   */
  private static int mostElements(MultiLayerNetwork network) {
    return Math.toIntExact(network.numParams() / 16 + 5);
  }

  private MultiLayerConfiguration model(Samples samples) {
    return new NeuralNetConfiguration.Builder()
        .seed(seed)
        .updater(updater())
        .weightInit(WeightInit.XAVIER)
        .trainingWorkspaceMode(WorkspaceMode.ENABLED)
        .inferenceWorkspaceMode(WorkspaceMode.ENABLED)
        .list()
        .layer(
            new DenseLayer.Builder()
                .nIn(samples.shape().features())
                .nOut(512)
                .activation(Activation.RELU)
                .build())
        .layer(
            new OutputLayer.Builder(LossFunctions.LossFunction.MCXENT)
                .nIn(512)
                .nOut(samples.shape().classes())
                .activation(Activation.SOFTMAX)
                .build())
        .build();
  }

  private IUpdater updater() {
    return switch (updater) {
      case SGD -> new Sgd(learningRate);
      case MOMENTUM -> new Nesterovs(learningRate, 0.9);
      case ADAM -> new Adam(learningRate);
    };
  }

  private ParallelWrapper wrapper(
      MultiLayerNetwork network, Mode mode, int averagingFrequency, CountingHandler handler) {
    ParallelWrapper.Builder<MultiLayerNetwork> builder = new ParallelWrapper.Builder<>(network);
    if (mode.sharesGradients()) {
      // As ParallelWrapper creates it, except for the clipping.
      long memoryBytes = (long) mostElements(network) * Integer.BYTES * (workers + 3);
      builder.gradientsAccumulator(
          new EncodedGradientsAccumulator(
              workers, handler, memoryBytes, workers + 2, Integer.MAX_VALUE, false));
    }
    return builder
        .workers(workers)
        .prefetchBuffer(prefetch)
        .workspaceMode(WorkspaceMode.ENABLED)
        .reportScoreAfterAveraging(false)
        .trainingMode(mode.theirs())
        .averagingFrequency(averagingFrequency)
        .build();
  }

  private static double accuracy(MultiLayerNetwork network, List<DataSet> testBatches) {
    return network.evaluate(new ExistingDataSetIterator(testBatches)).accuracy();
  }

  /** Returns empty batches in native memory; the last one may be shorter. */
  private static List<DataSet> allocate(Samples samples, int batch) {
    List<DataSet> batches = new ArrayList<>();
    for (int start = 0; start < samples.size(); start += batch) {
      int rows = Math.min(batch, samples.size() - start);
      batches.add(
          new DataSet(
              Nd4j.create(rows, samples.shape().features()),
              Nd4j.create(rows, samples.shape().classes())));
    }
    return batches;
  }

  private static void fill(List<DataSet> batches, Samples samples, int[] order) {
    int classes = samples.shape().classes();
    int done = 0;
    for (DataSet into : batches) {
      int rows = into.numExamples();
      int[] ids = IntStream.range(done, done + rows).map(i -> order[i]).toArray();
      Batch batch = samples.batch(0, ids, false);
      float[] oneHot = new float[rows * classes];
      for (int row = 0; row < rows; row++) {
        oneHot[row * classes + batch.labels()[row]] = 1;
      }
      copy(batch.features().toArray(), into.getFeatures());
      copy(oneHot, into.getLabels());
      done += rows;
    }
  }

  private static void copy(float[] values, INDArray into) {
    try (FloatPointer pointer = new FloatPointer(into.data().pointer())) {
      pointer.put(values);
    }
  }

  private static void shuffle(int[] order, Random random) {
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
  }

  /** Batches in memory, prefetched only on request. */
  private static final class InMemory extends ExistingDataSetIterator {

    private final boolean prefetched;

    InMemory(List<DataSet> batches, boolean prefetched) {
      super(batches);
      this.prefetched = prefetched;
    }

    @Override
    public boolean asyncSupported() {
      return prefetched;
    }
  }
}
