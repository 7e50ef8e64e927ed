package dev.braid.job.scoring;

import dev.braid.files.WholeFile;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Places;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.learner.InvalidModelException;
import dev.braid.run.training.ModelCard;
import dev.braid.run.training.OnnxModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Command {@code braid export}: writes a saved model in a format that other programs read. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Writes a saved model as an ONNX file, for ONNX Runtime and others.",
      "",
      "The ONNX model takes the numbers and texts of the data, scales them as in "
          + "training, and returns classes, or values in the units of the data. The "
          + "command prints its inputs and outputs.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:written",
      "1:failed",
      "2:invalid options or model, a layer or column that ONNX does not support, or "
          + "a file that cannot be written"
    })
public final class ExportCommand implements Callable<Integer> {

  private final Terminal terminal;

  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = {
        "Model that braid train has saved, next to its model.json, which describes its input.",
        "Or the folder of a registry, for the version in service, or REGISTRY/v17."
      })
  private String model;

  @Option(
      names = "--onnx",
      required = true,
      paramLabel = "FILE",
      description = "ONNX file to write. A file that exists is replaced.")
  private Path onnx;

  /** Creates a command that prints to a terminal. */
  public ExportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ScoredModel scored = ScoredModel.read(model);
    OnnxModel exported;
    try {
      exported = OnnxModel.of(scored.spec(), scored.card());
    } catch (InvalidModelException e) {
      throw new UsageException("--" + e.getMessage(), e);
    }
    write(scored.place(), exported.bytes());
    terminal.print("%s, %,d bytes".formatted(Places.shown(onnx), exported.bytes().length));
    exported.inputs().forEach(line -> terminal.print("input   " + line));
    exported.outputs().forEach(line -> terminal.print("output  " + line));
    return ExitCodes.OK;
  }

  private void write(String modelFile, byte[] bytes) {
    Path file = onnx.toAbsolutePath().normalize();
    if (Files.isDirectory(file) || !Files.isDirectory(file.resolveSibling("."))) {
      throw new UsageException("--onnx %s: its folder does not exist".formatted(onnx));
    }
    Path read = Path.of(modelFile).toAbsolutePath().normalize();
    if (file.equals(read) || file.equals(read.resolveSibling(ModelCard.FILE))) {
      throw new UsageException(
          "--onnx %s: would overwrite the model: use another file".formatted(onnx));
    }
    try {
      WholeFile.write(file, out -> out.write(bytes));
    } catch (IOException e) {
      throw new UsageException(
          "--onnx %s: cannot be written: %s".formatted(onnx, WholeFile.reason(e)), e);
    }
  }
}
