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
 * How well a model classifies samples; all shares are from 0 to 1.
 *
 * <p>Means over classes are over those that have samples. A share of nothing, such as the precision
 * of a class that the model never gives, counts as 0 in them, as with scikit-learn's {@code
 * zero_division=0}.
 *
 * @param samples how many there are
 * @param accuracy the share that is classified correctly
 * @param loss the mean of the model's own loss, without regularisation
 * @param precision the mean over classes
 * @param recall the mean over classes, which is the balanced accuracy
 * @param f1 the mean over classes
 * @param classes each class against all others
 * @param confusion how many samples of a class (row) the model took for which one (column)
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

  /** Bounds memory: a convolution's activations may be large. */
  private static final int ROWS = 256;

  /** With so many outputs in all, the area is that under a curve of a thousand points. */
  private static final long MOST_EXACT_OUTPUTS = 20_000_000;

  private static final int THRESHOLDS = 1000;

  /**
   * One class against all others.
   *
   * @param samples that are of it
   * @param auc the area under the ROC curve, by Deeplearning4j's {@link ROCMultiClass}; none if all
   *     samples are of this class, or no one is
   */
  public record OfClass(
      int samples, double precision, double recall, double f1, OptionalDouble auc) {}

  /**
   * Evaluates a model.
   *
   * @param samples at least one
   * @throws InvalidModelException if the model does not take them
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
   * The shares that follow from counts.
   *
   * @param confusion how many samples of a class (row) the model took for which one (column)
   * @param auc asked for classes that have samples, as others have
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
