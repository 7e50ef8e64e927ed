package dev.braid.learner;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Checksum;

/** The targets that a model should predict for some samples: a class per sample, or values. */
public sealed interface Targets {

  /** Weights of samples that all have weight 1. */
  float[] NO_WEIGHTS = {};

  /**
   * Returns the targets of samples of a shape.
   *
   * @param numbers the class of each sample, or its values, sample after sample; not copied
   */
  static Targets of(Shape shape, float[] numbers) {
    if (shape.hasValues()) {
      return new Values(shape.outputs(), numbers);
    }
    int[] labels = new int[numbers.length];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = (int) numbers[i];
    }
    return new Classes(labels);
  }

  /** Returns the number of samples. */
  int size();

  /**
   * Returns each sample's weight in the gradient and in the loss: {@code float[size()]}, each 0 or
   * more, or {@code float[0]} if all weights are 1. Not copied.
   */
  float[] weights();

  /** Returns a sample's weight in the gradient and in the loss. */
  default double weight(int place) {
    return weights().length == 0 ? 1 : weights()[place];
  }

  /**
   * Returns the same targets with other sample weights.
   *
   * @param weights as {@link #weights} returns them
   */
  Targets weighted(float[] weights);

  private static void checkWeights(float[] weights, int size) {
    if (weights.length != 0 && weights.length != size) {
      throw new IllegalArgumentException(weights.length + " weights for " + size + " samples");
    }
  }

  private static float[] weightsAt(float[] weights, int[] places) {
    if (weights.length == 0) {
      return NO_WEIGHTS;
    }
    float[] chosen = new float[places.length];
    for (int i = 0; i < places.length; i++) {
      chosen[i] = weights[places[i]];
    }
    return chosen;
  }

  /**
   * Adds these targets and the shape to a checksum of the samples' features, and returns its value.
   */
  default long addTo(Checksum sum, Shape shape) {
    ByteBuffer bytes;
    if (this instanceof Classes classes) {
      bytes = ByteBuffer.allocate(classes.labels.length * Integer.BYTES);
      bytes.asIntBuffer().put(classes.labels);
    } else {
      float[] values = ((Values) this).values;
      bytes = ByteBuffer.allocate(values.length * Float.BYTES);
      bytes.asFloatBuffer().put(values);
    }
    sum.update(bytes.array());
    sum.update(shape.toString().getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }

  /** Returns the targets of the samples at these indices, in this order. */
  Targets at(int[] places);

  /**
   * Writes the ideal outputs of a model for {@code rows} samples, row after row.
   *
   * @param first index of the first sample
   * @param outputs number of outputs per sample
   */
  void copyRows(int first, int rows, int outputs, float[] into);

  /**
   * Scores outputs against these targets.
   *
   * @param outputs row after row
   * @param width number of outputs per row
   * @param first index of the first row's sample
   * @param lossSum the sum of the rows' losses, which becomes part of the score
   */
  Learner.Score score(float[] outputs, int width, int first, int rows, double lossSum);

  /**
   * One class per sample, from 0. A model predicts the class with the greatest output.
   *
   * @param labels not copied
   * @param weights weight of each sample, or empty if all weights are 1; not copied
   */
  record Classes(int[] labels, float[] weights) implements Targets {

    public Classes {
      checkWeights(weights, labels.length);
    }

    /** Creates the classes of samples that all have weight 1. */
    public Classes(int[] labels) {
      this(labels, NO_WEIGHTS);
    }

    @Override
    public Targets weighted(float[] newWeights) {
      return new Classes(labels, newWeights);
    }

    @Override
    public int size() {
      return labels.length;
    }

    @Override
    public Targets at(int[] places) {
      return new Classes(
          Arrays.stream(places).map(place -> labels[place]).toArray(), weightsAt(weights, places));
    }

    @Override
    public void copyRows(int first, int rows, int outputs, float[] into) {
      Arrays.fill(into, 0, rows * outputs, 0);
      for (int r = 0; r < rows; r++) {
        into[r * outputs + labels[first + r]] = 1;
      }
    }

    @Override
    public Learner.Score score(float[] outputs, int width, int first, int rows, double lossSum) {
      long correct = 0;
      for (int r = 0; r < rows; r++) {
        correct += greatest(outputs, r * width, width) == labels[first + r] ? 1 : 0;
      }
      return new Learner.Score(rows, correct, lossSum);
    }

    /** Returns the class with the greatest output; of equal outputs, the first. */
    public static int greatest(float[] outputs, int start, int classes) {
      int best = 0;
      for (int c = 1; c < classes; c++) {
        if (outputs[start + c] > outputs[start + best]) {
          best = c;
        }
      }
      return best;
    }
  }

  /**
   * Values, one for each output.
   *
   * @param width number of values per sample
   * @param values sample after sample; not copied
   * @param weights weight of each sample, or empty if all weights are 1; not copied
   */
  record Values(int width, float[] values, float[] weights) implements Targets {

    public Values {
      if (width < 1 || values.length % width != 0) {
        throw new IllegalArgumentException(
            values.length + " values: must be a multiple of the row length " + width);
      }
      checkWeights(weights, values.length / width);
    }

    /** Creates the values of samples that all have weight 1. */
    public Values(int width, float[] values) {
      this(width, values, NO_WEIGHTS);
    }

    @Override
    public Targets weighted(float[] newWeights) {
      return new Values(width, values, newWeights);
    }

    @Override
    public int size() {
      return values.length / width;
    }

    @Override
    public Targets at(int[] places) {
      float[] chosen = new float[places.length * width];
      for (int i = 0; i < places.length; i++) {
        System.arraycopy(values, places[i] * width, chosen, i * width, width);
      }
      return new Values(width, chosen, weightsAt(weights, places));
    }

    @Override
    public void copyRows(int first, int rows, int outputs, float[] into) {
      System.arraycopy(values, first * width, into, 0, rows * outputs);
    }

    @Override
    public Learner.Score score(float[] outputs, int width, int first, int rows, double lossSum) {
      ValueErrors errors = ValueErrors.of(values, first * width, outputs, rows, width);
      return new Learner.Score(rows, 0, lossSum, errors);
    }
  }
}
