package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.structure.ImageShape;
import java.util.List;
import java.util.Locale;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;

/**
 * The highest number of samples that a model can process at a time. Each layer's output for a whole
 * batch is one array, and arrays are indexed by {@code int}.
 *
 * @param model the user's name for the model
 * @param widest number of elements per sample of the first layer's input or of the largest layer
 *     output, whichever is greater
 */
public record BatchLimit(String model, long widest) {

  /** Highest number of elements in a Java array, less a reserve for the JVM's own header. */
  private static final long MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

  /** Returns the limit of a model for this input. */
  public static BatchLimit of(
      ModelSpec spec, MultiLayerConfiguration configuration, ModelInput input) {
    long inputSize = input.imageShape().size();
    List<InputType> outputs = configuration.getLayerActivationTypes(type(input));
    return new BatchLimit(
        spec.name(),
        outputs.stream()
            .mapToLong(InputType::arrayElementsPerExample)
            .reduce(inputSize, Math::max));
  }

  private static InputType type(ModelInput input) {
    if (input instanceof ModelInput.Sequence sequence) {
      return InputType.recurrent(sequence.features(), sequence.steps());
    }
    if (input instanceof ModelInput.Image image) {
      ImageShape shape = image.shape();
      return image.isRow()
          ? InputType.convolutionalFlat(shape.height(), shape.width(), shape.channels())
          : InputType.convolutional(shape.height(), shape.width(), shape.channels());
    }
    return InputType.feedForward(input.imageShape().size());
  }

  /** Returns {@code rows}, or the limit if that is smaller; at least 1. */
  public int atMost(int rows) {
    return (int) Math.max(1, Math.min(rows, rows()));
  }

  private long rows() {
    return MAX_ARRAY_LENGTH / widest;
  }

  /**
   * Checks the size of a batch.
   *
   * @throws InvalidModelException if the batch is too large; the message states the limit
   */
  public void check(int rows) {
    if (rows() == 0) {
      throw refusal("must be %,d or less", MAX_ARRAY_LENGTH);
    }
    if (rows > rows()) {
      throw refusal("a batch of %,d is too large; must be %,d or less", rows, rows());
    }
  }

  private InvalidModelException refusal(String why, Object... numbers) {
    return new InvalidModelException(
        String.format(
            Locale.ROOT,
            "model %s: a layer computes %,d numbers per sample: %s",
            model,
            widest,
            String.format(Locale.ROOT, why, numbers)));
  }
}
