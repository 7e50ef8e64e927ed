package dev.braid.job.scoring;

import dev.braid.connectors.FeatureStream;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.InvalidSampleException;
import dev.braid.job.config.DataSettings;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.UsageException;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.network.Classifier;
import dev.braid.run.training.ModelCard;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code braid predict}: predicts the classes or values of samples with a saved model. */
@Command(
    name = "predict",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Predicts the class of each sample with a saved model.",
      "",
      "Prints a line of CSV per sample: its class, and the model's output for each "
          + "class, which is its probability if the model ends with a softmax. For a "
          + "regression: the values, in the units of the data.",
      "",
      "Rows of a table or a LibSVM file need no label. Numbers must have the units "
          + "of the training data; they are scaled as in training. Each line from standard "
          + "input is answered at once.",
      "",
      "A sample that cannot be scored has an answer with the reason in the last "
          + "column, error, and the others empty; as JSON, with the field error only. "
          + "Blank lines have no answer.",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:every sample scored",
      "1:failed, or some samples could not be scored; their answers have the reason",
      "2:invalid options, model or data, such as a missing column or file; with "
          + "--strict, also the first sample that cannot be scored, after the answers of "
          + "the samples before it",
      "141:the reader of standard output has closed it"
    })
public final class PredictCommand implements Callable<Integer> {

  private static final String STANDARD_INPUT = "-";

  private final InputStream standardInput;
  private final boolean isKeyboard;

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
      names = "--format",
      paramLabel = "NAME",
      description = {
        "Format of the data: csv, libsvm, idx, cifar (records of a label and an "
            + "image), png or jpeg.",
        "Default: from the content and name of each file; csv for text from standard input"
      })
  private String format;

  @Option(names = "--json", description = "Print a line of JSON for each sample.")
  private boolean json;

  @Option(
      names = "--strict",
      description = {
        "Stop at the first sample that cannot be scored. Answers then have no column error.",
        "Default: such a sample has an answer with the error"
      })
  private boolean strict;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = {
        "Files to read: tables (.csv, .tsv), LibSVM files, IDX files of images, files "
            + "of CIFAR-10 (.bin), PNG and JPEG images, data files (.yaml) that name one of "
            + "these, or - for standard input.",
        "Default: -"
      })
  private List<String> files = List.of(STANDARD_INPUT);

  @Spec private CommandSpec spec;

  /**
   * Creates the command.
   *
   * @param isKeyboard whether standard input is a keyboard, so that the command prints a prompt
   */
  public PredictCommand(InputStream standardInput, boolean isKeyboard) {
    this.standardInput = standardInput;
    this.isKeyboard = isKeyboard;
  }

  /** Input that triggers the pending answers before it waits for more. */
  private static final class Waiting extends FilterInputStream {
    private final Runnable beforeWaiting;

    Waiting(InputStream in, Runnable beforeWaiting) {
      super(in);
      this.beforeWaiting = beforeWaiting;
    }

    @Override
    public int read() throws IOException {
      answer();
      return in.read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      answer();
      return in.read(into, offset, length);
    }

    private void answer() throws IOException {
      if (in.available() == 0) {
        beforeWaiting.run();
      }
    }
  }

  @Override
  public Integer call() {
    ScoredModel scored = ScoredModel.read(model);
    Optional<FeatureStream.Format> known = format();
    try (Classifier classifier = Classifier.of(scored.spec(), scored.card().shape())) {
      Predictions predictions =
          new Predictions(
              classifier,
              answers(scored.card()),
              new Predictions.Form(json, strict, files.size() > 1),
              spec.commandLine().getOut());
      for (String file : files) {
        predict(
            DataSettings.typed("predict", file).place(),
            known,
            scored.card().expected(),
            predictions);
      }
      return end(predictions);
    } catch (InvalidModelException e) {
      throw new UsageException("--" + e.getMessage(), e);
    }
  }

  private int end(Predictions predictions) {
    predictions.mistakes().ifPresent(this::say);
    return predictions.mistakes().isPresent() ? ExitCodes.FAILED : ExitCodes.OK;
  }

  private void say(String sentence) {
    spec.commandLine().getErr().println("braid: " + sentence);
  }

  private static Answers answers(ModelCard card) {
    return card.hasValues()
        ? new Answers.Values(card.valueColumns())
        : new Answers.Classes(card.classNames());
  }

  private void predict(
      String file,
      Optional<FeatureStream.Format> known,
      FeatureStream.Expected expected,
      Predictions predictions) {
    try (FeatureStream samples = open(file, known, expected, predictions)) {
      while (predictNext(file, samples, predictions)) {
        samples.newUnknownTexts().forEach(this::warn);
      }
      // Flush answers first: a file that is not read to its end may have more of them.
      predictions.flush();
      samples.unknownTexts().forEach(this::warn);
    } catch (InvalidDataException e) {
      throw new UsageException(e.getMessage(), e);
    } finally {
      predictions.flush();
    }
  }

  private static boolean predictNext(String file, FeatureStream samples, Predictions predictions) {
    try {
      Optional<float[]> next = samples.next();
      next.ifPresent(sample -> predictions.add(file, sample));
      return next.isPresent();
    } catch (InvalidSampleException e) {
      predictions.addMistake(file, e.getMessage());
      return true;
    }
  }

  private void warn(String sentence) {
    say("warning: " + sentence);
  }

  private FeatureStream open(
      String file,
      Optional<FeatureStream.Format> known,
      FeatureStream.Expected expected,
      Predictions predictions) {
    if (file.equals(STANDARD_INPUT)) {
      if (isKeyboard) {
        say("reading rows from the keyboard, one per line; Ctrl-D ends the input");
      }
      return FeatureStream.open(
          "standard input", new Waiting(standardInput, predictions::flush), known, expected);
    }
    try {
      return FeatureStream.open(Path.of(file), known, expected);
    } catch (InvalidPathException e) {
      throw new UsageException(file + ": not a path", e);
    }
  }

  private Optional<FeatureStream.Format> format() {
    if (format == null) {
      return Optional.empty();
    }
    for (FeatureStream.Format known : FeatureStream.Format.values()) {
      if (known.name().toLowerCase(Locale.ROOT).equals(format)) {
        return Optional.of(known);
      }
    }
    throw UsageException.unknownName("--format", format, "csv, libsvm, idx, cifar, png, jpeg");
  }
}
