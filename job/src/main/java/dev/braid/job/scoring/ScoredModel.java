package dev.braid.job.scoring;

import dev.braid.connectors.ModelFiles;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.job.console.UsageException;
import dev.braid.job.plan.KnownModel;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.model.ModelSpec;
import dev.braid.run.training.ModelCard;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * A saved model and its card, for commands that score samples with it.
 *
 * @param place path of the model's file, which for a registry is in a version's folder
 * @param card stored next to the model's file
 */
record ScoredModel(String place, ModelSpec spec, ModelCard card) {

  /**
   * Reads a model.
   *
   * @param named its file; or the folder of a registry, or of a version in a registry
   * @throws UsageException if it is not a model with weights, or has no card
   */
  static ScoredModel read(String named) {
    String place = VersionPlace.of(named).orElse(named);
    try {
      Path file = Path.of(place);
      if (Files.isDirectory(file)) {
        throw KnownModel.folderMistake(place, "must be a saved model (zip) or a registry");
      }
      if (!Files.isRegularFile(file)) {
        throw new UsageException("--model " + place + ": no such file" + KnownModel.putAside(file));
      }
      ModelSpec spec = ModelFiles.load(file);
      if (spec.weights().length == 0) {
        throw new UsageException(
            "--model " + place + ": is a configuration: must be a model with weights (zip)");
      }
      return new ScoredModel(place, spec, ModelCard.beside(file));
    } catch (InvalidModelException e) {
      throw new UsageException("--" + e.getMessage(), e);
    } catch (InvalidDataException e) {
      throw new UsageException("--model " + e.getMessage(), e);
    } catch (InvalidPathException e) {
      throw new UsageException("--model " + place + ": not a path", e);
    }
  }
}
