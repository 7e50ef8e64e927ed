package dev.braid.learner.network;

import dev.braid.learner.Batch;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Samples;
import dev.braid.learner.Targets;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.model.ModelSpec;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.nd4j.evaluation.classification.ROCMultiClass;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Quality of a model's classification of samples; all shares are from 0 to 1.
 *
 * <p>Means over classes include only classes that have samples. A share without a denominator, such
 * as the precision of a class that the model never predicts, counts as 0, as with scikit-learn's
 * {@code zero_division=0}.
 *
 * @param samples number of samples
 * @param accuracy share of samples classified correctly
 * @param loss mean of the model's own loss, without regularisation
 * @param precision mean over classes
 * @param recall mean over classes, which is the balanced accuracy
 * @param f1 mean over classes
 * @param classes each class against all others
 * @param confusion number of samples of a class (row) for which the model predicted a class
 *     (column)
 */
public record ModelEvaluation(
    int samples,
    double accuracy,
    double loss,
    double precision,
    double recall,
    double f1,
    List<OfClass> classes,
    List<List<Integer>> confusion) {

  /** Limit on memory, because a convolution's activations may be large. */
  private static final int ROWS = 256;

  /**
   * Total number of outputs up to which the area under the curve is exact. For more outputs the
   * curve has a thousand points.
   */
  private static final long MOST_EXACT_OUTPUTS = 20_000_000;

  private static final int THRESHOLDS = 1000;

  /**
   * One class against all others.
   *
   * @param samples number of samples of this class
   * @param auc area under the ROC curve, by Deeplearning4j's {@link ROCMultiClass}; empty if all
   *     samples or no samples are of this class
   */
  public record OfClass(
      int samples, double precision, double recall, double f1, OptionalDouble auc) {}

  /**
   * Evaluates a model.
   *
   * @param samples at least one
   * @throws InvalidModelException if the model does not accept the samples
   */
  public static ModelEvaluation of(ModelSpec model, Samples samples) {
    int classes = samples.shape().classes();
    int[][] confusion = new int[classes][classes];
    boolean exact = (long) samples.size() * classes <= MOST_EXACT_OUTPUTS;
    ROCMultiClass roc = new ROCMultiClass(exact ? 0 : THRESHOLDS);
    Learner.Score score = Learner.Score.NONE;
    try (Classifier classifier = Classifier.of(model, samples.shape());
        Learner learner = Learners.create(model, samples.shape())) {
      for (int first = 0; first < samples.size(); first += ROWS) {
        int[] ids = IntStream.range(first, Math.min(first + ROWS, samples.size())).toArray();
        Batch batch = samples.batch(0, ids, false);
        score = score.plus(learner.evaluate(model.weights(), batch));
        try (INDArray outputs = classifier.outputs(batch.features().toArray());
            INDArray labels = oneHot(batch.labels(), classes)) {
          count(batch.labels(), NativeVectors.toArray(outputs), confusion);
          roc.eval(labels, outputs);
        }
      }
    }
    return of(confusion, score.loss(), actual -> OptionalDouble.of(roc.calculateAUC(actual)));
  }

  private static void count(int[] labels, float[] outputs, int[][] confusion) {
    int classes = confusion.length;
    for (int i = 0; i < labels.length; i++) {
      confusion[labels[i]][Targets.Classes.greatest(outputs, i * classes, classes)]++;
    }
  }

  /**
   * Computes the shares from counts.
   *
   * @param confusion number of samples of a class (row) for which the model predicted a class
   *     (column)
   * @param auc called only for classes that have samples, and only if another class has samples,
   *     too
   */
  static ModelEvaluation of(int[][] confusion, double loss, IntFunction<OptionalDouble> auc) {
    int samples = Arrays.stream(confusion).flatMapToInt(Arrays::stream).sum();
    int correct = IntStream.range(0, confusion.length).map(i -> confusion[i][i]).sum();
    List<OfClass> each =
        IntStream.range(0, confusion.length)
            .mapToObj(i -> ofClass(confusion, i, samples, auc))
            .toList();
    return new ModelEvaluation(
        samples,
        share(correct, samples),
        loss,
        mean(each, OfClass::precision),
        mean(each, OfClass::recall),
        mean(each, OfClass::f1),
        each,
        Arrays.stream(confusion).map(row -> Arrays.stream(row).boxed().toList()).toList());
  }

  private static OfClass ofClass(
      int[][] confusion, int index, int samples, IntFunction<OptionalDouble> auc) {
    int right = confusion[index][index];
    int actual = Arrays.stream(confusion[index]).sum();
    int taken = Arrays.stream(confusion).mapToInt(row -> row[index]).sum();
    return new OfClass(
        actual,
        share(right, taken),
        share(right, actual),
        share(2.0 * right, actual + taken),
        actual == 0 || actual == samples ? OptionalDouble.empty() : auc.apply(index));
  }

  private static double share(double part, int whole) {
    return whole == 0 ? 0 : part / whole;
  }

  private static double mean(List<OfClass> classes, ToDoubleFunction<OfClass> figure) {
    return classes.stream()
        .filter(one -> one.samples() > 0)
        .mapToDouble(figure)
        .average()
        .orElse(0);
  }

  private static INDArray oneHot(int[] labels, int classes) {
    float[] values = new float[labels.length * classes];
    for (int i = 0; i < labels.length; i++) {
      values[i * classes + labels[i]] = 1;
    }
    return Nd4j.create(values, new long[] {labels.length, classes}, DataType.FLOAT);
  }
}
