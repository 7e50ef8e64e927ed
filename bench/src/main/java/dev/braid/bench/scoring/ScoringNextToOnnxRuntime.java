package dev.braid.bench.scoring;

import ai.onnxruntime.OrtException;
import dev.braid.bench.Conditions;
import dev.braid.bench.Stats;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Classifier;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the records per second that one thread scores with a saved model: Braid's {@link
 * Classifier} next to ONNX Runtime with Braid's export of the same model, in turns. The exit code
 * is 1 if Braid is slower in any case.
 *
 * <p>Times are the thread's processor time, which excludes other programs and the garbage
 * collector. Turns are short, so that both systems find the machine in the same state, and each
 * system begins every other turn.
 *
 * <p>Weights and samples are random, and no feature is 0.
 */
@Command(
    name = "ScoringNextToOnnxRuntime",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description = "Records scored in a second, by Braid and by ONNX Runtime.")
public final class ScoringNextToOnnxRuntime implements Callable<Integer> {

  private static final Shape IMAGES = new Shape(1, 28, 28, 10);

  /** Ratio to ONNX Runtime's speed below which Braid counts as slower: a smaller gap is noise. */
  private static final double SLOWEST = 0.95;

  /** Largest difference between the scores of the two systems. */
  private static final float ROUNDING = 1e-5f;

  /**
   * Number of different batches, so that the processor cannot learn the branches of a single one.
   */
  private static final int BATCHES = 16;

  private record Case(String preset, Shape shape) {}

  private static final List<Case> CASES =
      List.of(
          new Case("logistic", Shape.rows(100, 2)),
          new Case("mlp", IMAGES),
          new Case("cnn", IMAGES));

  @Option(names = "--only", description = "Presets whose name contains this.", defaultValue = "")
  private String only;

  @Option(names = "--batches", description = "Records in a batch.", defaultValue = "1,100")
  private String batches;

  @Option(names = "--turns", description = "Measured turns of each system.", defaultValue = "31")
  private int turns;

  @Option(names = "--millis", description = "Milliseconds of a turn.", defaultValue = "60")
  private int millis;

  @Option(
      names = "--warm-up",
      description = "Milliseconds that each system scores before the first turn.",
      defaultValue = "4000")
  private int warmUpMillis;

  /** Runs the benchmark; {@code --help} lists the options. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new ScoringNextToOnnxRuntime()).execute(args));
  }

  @Override
  public Integer call() throws OrtException {
    System.out.print(Conditions.here());
    System.out.println(
        "# model records_per_batch braid_records_per_s onnxruntime_records_per_s ratio");
    boolean isSlower = false;
    for (Case next : CASES) {
      if (next.preset().contains(only)) {
        for (String rows : batches.split(",", -1)) {
          isSlower |= measure(next, Integer.parseInt(rows)) < SLOWEST;
        }
      }
    }
    return isSlower ? 1 : 0;
  }

  /**
   * Measures both systems, and prints a line.
   *
   * @return median of the turns' ratios of Braid's rate to ONNX Runtime's
   */
  private double measure(Case model, int rows) throws OrtException {
    float[][] samples = samples(model.shape(), rows);
    try (Classifier classifier = Classifier.of(spec(model), model.shape());
        OnnxRuntimeModel theirs = new OnnxRuntimeModel(classifier, rows)) {
      requireSame(classifier.scores(samples[0]), theirs.scores(samples[0]));
      ScoringRate braid = new ScoringRate(samples, rows, classifier::scores);
      ScoringRate onnxRuntime = new ScoringRate(samples, rows, theirs::scores);
      braid.measure(warmUpMillis);
      onnxRuntime.measure(warmUpMillis);
      double[] own = new double[turns];
      double[] other = new double[turns];
      for (int turn = 0; turn < turns; turn++) {
        if (turn % 2 == 0) {
          own[turn] = braid.measure(millis);
          other[turn] = onnxRuntime.measure(millis);
        } else {
          other[turn] = onnxRuntime.measure(millis);
          own[turn] = braid.measure(millis);
        }
      }
      double ratio =
          Stats.of(IntStream.range(0, turns).mapToDouble(i -> own[i] / other[i]).toArray())
              .median();
      System.out.printf(
          Locale.ROOT,
          "%-10s %4d %,12.0f %,12.0f %6.2f%n",
          model.preset(),
          rows,
          Stats.of(own).median(),
          Stats.of(other).median(),
          ratio);
      return ratio;
    }
  }

  private static ModelSpec spec(Case model) {
    ModelSpec spec = Models.of(model.preset(), model.shape(), 1);
    try (Learner learner = Learners.create(spec, model.shape())) {
      float[] weights = new float[learner.length()];
      learner.initialWeights(weights);
      return spec.with(weights, new float[0][], 0);
    }
  }

  private static float[][] samples(Shape shape, int rows) {
    Random random = new Random(1);
    float[][] batches = new float[BATCHES][rows * shape.features()];
    for (float[] batch : batches) {
      for (int i = 0; i < batch.length; i++) {
        batch[i] = 0.01f + random.nextFloat();
      }
    }
    return batches;
  }

  private static void requireSame(float[] own, float[] other) {
    for (int i = 0; i < own.length; i++) {
      if (!(Math.abs(own[i] - other[i]) <= ROUNDING)) {
        throw new IllegalStateException(
            "score " + i + ": " + own[i] + " by Braid, " + other[i] + " by ONNX Runtime");
      }
    }
  }
}
