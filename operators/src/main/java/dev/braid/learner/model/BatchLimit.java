package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.structure.ImageShape;
import java.util.List;
import java.util.Locale;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;

/**
 * How many samples a model takes at a time: what a layer makes of all of them is one array, and
 * those are indexed by {@code int}.
 *
 * @param model what the user calls it
 * @param widest how many numbers the largest layer makes of a sample, or the first one takes of it
 */
public record BatchLimit(String model, long widest) {

  /** Arrays of Java have no more elements, with room for what a virtual machine keeps in them. */
  private static final long MAX_ARRAY_LENGTH = Integer.MAX_VALUE - 8;

  /** The limit of a model that takes this data. */
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

  /** So many samples at a time, or as many as there may be. */
  public int atMost(int rows) {
    return (int) Math.max(1, Math.min(rows, rows()));
  }

  private long rows() {
    return MAX_ARRAY_LENGTH / widest;
  }

  /**
   * Refuses a batch that is too large.
   *
   * @throws InvalidModelException that says how large it may be
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
