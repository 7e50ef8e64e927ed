package dev.braid.bench;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.optimiser.Clipping;
import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures a gradient and a step of small models, one around each layer that Braid supports, by
 * Braid and by Deeplearning4j's {@code fit}, in turns, on one thread each. The exit code is 1 if
 * Braid is slower for any layer.
 *
 * <p>Times are milliseconds of the thread's processor time, which exclude other programs and the
 * garbage collector. Turns are short, so that both systems find the machine in the same state, and
 * each system begins every other turn.
 *
 * <p>Images are noise without any pixel that is 0, so that these figures do not include Braid's
 * savings for features that are 0. Deeplearning4j's batch is already in native memory.
 */
@Command(
    name = "LayersNextToDeeplearning4j",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description =
        "Milliseconds a batch of a model around each layer: Braid next to Deeplearning4j.")
public final class LayersNextToDeeplearning4j implements Callable<Integer> {

  private static final Shape SHAPE = LayerModels.SHAPE;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * Milliseconds that both systems compute before the first turn, until the JIT compiler has
   * finished.
   */
  private static final int WARM_UP_MILLIS = 1200;

  /** Ratio to Deeplearning4j's speed below which Braid counts as slower: a smaller gap is noise. */
  private static final double SLOWEST = 0.95;

  @Option(names = "--only", description = "Layers whose name has this in it.", defaultValue = "")
  private String only;

  @Option(names = "--batch", defaultValue = "100", description = "Samples a batch.")
  private int size;

  @Option(names = "--turns", defaultValue = "31", description = "Measured turns of each.")
  private int turns;

  @Option(names = "--millis", defaultValue = "80", description = "Milliseconds a turn, at least.")
  private int millis;

  /** Runs the benchmark; {@code --help} lists the options. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new LayersNextToDeeplearning4j()).execute(args));
  }

  @Override
  public Integer call() {
    System.out.print(Conditions.here());
    System.out.println("# layer braid_ms deeplearning4j_ms times_as_fast");
    List<String> slower = new ArrayList<>();
    LayerModels.all()
        .forEach(
            (name, model) -> {
              if (name.contains(only) && !keepsUp(name, model)) {
                slower.add(name);
              }
            });
    if (slower.isEmpty()) {
      return 0;
    }
    System.out.printf(
        Locale.ROOT, "# less than %.2f times as fast: %s%n", SLOWEST, String.join("; ", slower));
    return 1;
  }

  /**
   * Measures a model, and a second time with twice as many turns if Braid seems slower: other
   * programs also use caches and change clock rates.
   */
  private boolean keepsUp(String name, MultiLayerConfiguration model) {
    return measure(name, model, turns) >= SLOWEST || measure(name, model, 2 * turns) >= SLOWEST;
  }

  /**
   * Measures both systems, and prints a line.
   *
   * @return the ratio of Braid's speed to Deeplearning4j's
   */
  private double measure(String name, MultiLayerConfiguration model, int count) {
    Batch batch = batch();
    try (BraidSteps braid = new BraidSteps(model, batch);
        Deeplearning4jSteps theirs = new Deeplearning4jSteps(model, batch)) {
      millisPerStep(braid, WARM_UP_MILLIS);
      millisPerStep(theirs, WARM_UP_MILLIS);
      double[] own = new double[count];
      double[] other = new double[count];
      for (int turn = 0; turn < count; turn++) {
        if (turn % 2 == 0) {
          own[turn] = millisPerStep(braid, millis);
          other[turn] = millisPerStep(theirs, millis);
        } else {
          other[turn] = millisPerStep(theirs, millis);
          own[turn] = millisPerStep(braid, millis);
        }
      }
      double[] ratios = IntStream.range(0, count).mapToDouble(i -> other[i] / own[i]).toArray();
      double timesAsFast = Stats.of(ratios).median();
      System.out.printf(
          Locale.ROOT,
          "%-34s %8.3f %8.3f %6.2f%n",
          name,
          Stats.of(own).median(),
          Stats.of(other).median(),
          timesAsFast);
      return timesAsFast;
    }
  }

  private static double millisPerStep(Runnable step, double least) {
    long begin = THREADS.getCurrentThreadCpuTime();
    int steps = 0;
    double elapsed;
    do {
      step.run();
      steps++;
      elapsed = (THREADS.getCurrentThreadCpuTime() - begin) / 1e6;
    } while (elapsed < least);
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
        random.ints(size, 0, SHAPE.classes()).toArray(),
        false);
  }

  // ---- who computes ----------------------------------------------------------------------------

  private static final class BraidSteps implements Runnable, AutoCloseable {
    private final Learner learner;
    private final Updater updater;
    private final Batch batch;
    private final float[] weights;
    private final float[] gradient;
    private final float[][] state;
    private long steps;

    BraidSteps(MultiLayerConfiguration model, Batch batch) {
      ModelSpec spec = new ModelSpec("model", model.toJson(), 1, new float[0], new float[0][], 0);
      this.learner = Learners.create(spec, SHAPE);
      this.updater =
          new Optimiser(spec.updater(), EpochSchedule.CONSTANT, Clipping.NONE, spec.parameters(), 0)
              .create(Pace.STEPS);
      this.batch = batch;
      this.weights = new float[learner.length()];
      this.gradient = new float[weights.length];
      this.state = spec.initialState(spec.updater(), weights.length);
      learner.initialWeights(weights);
    }

    @Override
    public void run() {
      learner.gradient(weights, batch, gradient);
      updater.step(weights, state, 0, new Step(gradient, batch.size(), steps++));
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
      long[] shape =
          LayerModels.isOfSequences(model)
              ? new long[] {batch.size(), SHAPE.width(), SHAPE.height()}
              : new long[] {batch.size(), SHAPE.features()};
      INDArray labels = Nd4j.zeros(batch.size(), SHAPE.classes());
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
}
