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
 * A saved model, with what it expects, for commands that score samples with it.
 *
 * @param card what is beside the model's file
 */
record ScoredModel(ModelSpec spec, ModelCard card) {

  /**
   * Reads a model.
   *
   * @param place its file
   * @throws UsageException if it is none, or what it expects is not known
   */
  static ScoredModel read(String place) {
    try {
      Path file = Path.of(place);
      if (Files.isDirectory(file)) {
        throw KnownModel.folderMistake(place, "a saved model (zip)");
      }
      if (!Files.isRegularFile(file)) {
        throw new UsageException("--model " + place + ": no such file" + KnownModel.putAside(file));
      }
      ModelSpec spec = ModelFiles.load(file);
      if (spec.weights().length == 0) {
        throw new UsageException(
            "--model " + place + ": a configuration: a model with weights (zip) is needed");
      }
      return new ScoredModel(spec, ModelCard.beside(file));
    } catch (InvalidModelException e) {
      throw new UsageException("--" + e.getMessage(), e);
    } catch (InvalidDataException e) {
      throw new UsageException("--model " + e.getMessage(), e);
    } catch (InvalidPathException e) {
      throw new UsageException("--model " + place + ": not a path", e);
    }
  }
}
