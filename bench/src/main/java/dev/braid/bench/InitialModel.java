package dev.braid.bench;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.ModelFiles;
import dev.braid.files.WholeFile;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Writes the model with which a training begins, including its random weights, so that another
 * system can begin with the same model.
 */
@Command(
    name = "InitialModel",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    showDefaultValues = true,
    description =
        "Writes the model that './braid train' begins with, as a zip of Deeplearning4j's.")
public final class InitialModel implements Callable<Integer> {

  @Option(names = "--model", defaultValue = "mlp", description = "As of './braid train'.")
  private String model;

  @Option(names = "--data", defaultValue = DataLocation.MNIST, description = "The same.")
  private String data;

  @Option(names = "--seed", defaultValue = "1", description = "The same.")
  private long seed;

  @Parameters(paramLabel = "FILE", description = "Where to.")
  private Path file;

  /** Writes the file; {@code --help} lists the options. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new InitialModel()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Shape shape = DataLocation.of(data).check().shape();
    ModelSpec spec = Models.of(model, shape, seed);
    try (Learner learner = Learners.create(spec, shape)) {
      float[] weights = new float[learner.length()];
      learner.initialWeights(weights);
      WholeFile.write(
          file, out -> ModelFiles.write(out, spec, weights, new float[0][], 0, spec.updater()));
    }
    return 0;
  }
}
