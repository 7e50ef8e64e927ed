package dev.braid.api.score;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Shape;
import dev.braid.run.scoring.FeatureForm;
import dev.braid.run.scoring.FeatureReader;
import dev.braid.run.scoring.FeatureScales;
import dev.braid.run.training.ModelCard;
import java.util.Optional;

/** Records whose features an encoder of the program sets. */
record EncoderForm<T>(Encoder<T> encoder) implements FeatureForm<T> {

  @Override
  public FeatureReader<T> reader(Optional<ModelCard> card) {
    Shape shape = encoder.shape();
    Optional<Shape> needed = card.map(ModelCard::shape).filter(it -> !it.equals(shape));
    if (needed.isPresent()) {
      throw new InvalidDataException(
          "the model is of %s, and the encoder of %s".formatted(shown(needed.get()), shown(shape)));
    }
    return new EncodedFeatures<>(
        encoder, card.map(FeatureScales::of).orElse(FeatureScales.plain()));
  }

  private static String shown(Shape shape) {
    return "%d x %d x %d features and %d %s"
        .formatted(
            shape.channels(),
            shape.height(),
            shape.width(),
            shape.outputs(),
            shape.hasValues() ? "values" : "classes");
  }
}
