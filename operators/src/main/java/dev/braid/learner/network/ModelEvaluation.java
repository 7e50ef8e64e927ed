package dev.braid.learner.network;

import dev.braid.learner.Batch;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Samples;
import dev.braid.learner.model.ModelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.nd4j.evaluation.EvaluationAveraging;
import org.nd4j.evaluation.classification.Evaluation;
import org.nd4j.evaluation.classification.ROCMultiClass;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * How well a model classifies samples, by Deeplearning4j's {@link Evaluation} and {@link
 * ROCMultiClass}; all shares are from 0 to 1.
 *
 * @param samples how many there are
 * @param accuracy the share that is classified correctly
 * @param loss the mean of the model's own loss, without regularisation
 * @param precision the mean over classes; so are recall and F1
 * @param classes of each class
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
   * @param auc the area under the ROC curve; none if all samples are of this class, or no one is
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
    Evaluation evaluation = new Evaluation(classes);
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
          evaluation.eval(labels, outputs);
          roc.eval(labels, outputs);
        }
      }
    }
    return of(evaluation, roc, score.loss(), samples.size(), classes);
  }

  private static ModelEvaluation of(
      Evaluation evaluation, ROCMultiClass roc, double loss, int samples, int classes) {
    List<OfClass> each = new ArrayList<>();
    List<List<Integer>> confusion = new ArrayList<>();
    for (int i = 0; i < classes; i++) {
      int actual = i;
      List<Integer> row =
          IntStream.range(0, classes)
              .map(taken -> evaluation.getConfusionMatrix().getCount(actual, taken))
              .boxed()
              .toList();
      int count = row.stream().mapToInt(Integer::intValue).sum();
      OptionalDouble auc =
          count == 0 || count == samples
              ? OptionalDouble.empty()
              : OptionalDouble.of(roc.calculateAUC(i));
      confusion.add(row);
      each.add(
          new OfClass(count, evaluation.precision(i), evaluation.recall(i), evaluation.f1(i), auc));
    }
    return new ModelEvaluation(
        samples,
        evaluation.accuracy(),
        loss,
        evaluation.precision(EvaluationAveraging.Macro),
        evaluation.recall(EvaluationAveraging.Macro),
        evaluation.f1(EvaluationAveraging.Macro),
        each,
        confusion);
  }

  private static INDArray oneHot(int[] labels, int classes) {
    float[] values = new float[labels.length * classes];
    for (int i = 0; i < labels.length; i++) {
      values[i * classes + labels[i]] = 1;
    }
    return Nd4j.create(values, new long[] {labels.length, classes}, DataType.FLOAT);
  }
}
