package dev.braid.run.scoring;

import dev.braid.run.training.ModelCard;
import java.io.Serializable;
import java.util.Optional;

/**
 * Conversion of records of a type to the features of a model's samples. It is serialized with the
 * job.
 *
 * @param <T> type of the records
 */
public interface FeatureForm<T> extends Serializable {

  /**
   * Returns a reader of records for one version of the model.
   *
   * @param card what the version expects; empty if it was published without a card
   * @throws dev.braid.connectors.file.InvalidDataException if the version takes other samples
   */
  FeatureReader<T> reader(Optional<ModelCard> card);
}
