package dev.braid.job.scoring;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.text.TableColumn;
import dev.braid.job.config.DataSettings;
import dev.braid.job.console.ExitCodes;
import dev.braid.job.console.Places;
import dev.braid.job.console.UsageException;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Samples;
import dev.braid.learner.network.ModelEvaluation;
import dev.braid.learner.network.ValueEvaluation;
import dev.braid.run.training.ModelCard;
import dev.braid.text.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code braid evaluate}: evaluates a saved model on data. */
@Command(
    name = "evaluate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Evaluates a saved model on data.",
      "",
      "For classes: accuracy and loss; precision, recall, F1 and the area under the "
          + "ROC curve of each class; and the confusion matrix. For a regression: loss, "
          + "and for each value the mean squared error and its root, the mean absolute "
          + "error, and R².",
      ""
    },
    exitCodeListHeading = "%nExit codes%n",
    exitCodeList = {
      "0:evaluated",
      "1:failed",
      "2:invalid options, model or data",
      "141:the reader of standard output has closed it"
    })
public final class EvaluateCommand implements Callable<Integer> {

  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = {
        "Model that braid train has saved, next to its model.json, which says how to "
            + "read and scale data.",
        "Or the folder of a registry, for the version in service, or REGISTRY/v17."
      })
  private String model;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "NAME|PATH",
      description = {
        "Data: mnist; a folder with four IDX files, with CIFAR-10 or CIFAR-100, or "
            + "with a folder of images for each class; a .csv, .tsv or .libsvm file with "
            + "labels; or a data file (.yaml) that names one of these."
      })
  private String data;

  @Option(
      names = "--rows",
      paramLabel = "PART",
      description = {
        "Samples to evaluate: test, train, or all rows of a file.",
        "Default: all rows of a file, unless the model was trained on the file; "
            + "otherwise the test samples"
      })
  private String rows;

  @Option(names = "--json", description = "Print the result as JSON, in one line.")
  private boolean json;

  @Spec private CommandSpec spec;

  /** Choice of the samples to evaluate. */
  private enum Part {
    TEST("test samples"),
    TRAIN("training samples"),
    ALL("samples, all there are");

    private final String title;

    Part(String title) {
      this.title = title;
    }
  }

  @Override
  public Integer call() {
    ScoredModel scored = ScoredModel.read(model);
    DataLocation given = place();
    try {
      DataLocation place = scored.card().of(given);
      Part part = part(scored.card(), place);
      Samples samples =
          switch (part) {
            case TEST -> place.openTest();
            case TRAIN -> place.openTrain();
            case ALL -> place.openAll();
          };
      scored.card().checkShape(place, samples.shape());
      EvaluationText text = evaluate(scored, scaled(scored.card(), place, samples));
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        out.println(text.toJson(scored.place(), place.place()));
      } else {
        out.println(
            "%s on %s (%s %s)"
                .formatted(
                    Places.shown(Path.of(scored.place()).toAbsolutePath()),
                    Places.shown(place.place()),
                    String.format(Locale.ROOT, "%,d", samples.size()),
                    part.title));
        out.println();
        text.lines().forEach(out::println);
      }
      out.flush();
      warn(
          switch (part) {
            case TEST -> place.unknownTextsInTest();
            case TRAIN -> place.unknownTextsInTrain();
            case ALL -> place.unknownTextsInAll();
          });
      return ExitCodes.OK;
    } catch (InvalidDataException e) {
      throw new UsageException("--data: " + Places.within(e.getMessage()), e);
    } catch (InvalidModelException e) {
      throw new UsageException("--" + e.getMessage(), e);
    }
  }

  private DataLocation place() {
    try {
      DataLocation place = DataLocation.existing(DataSettings.typed(data).place());
      if (place.isTopic()) {
        throw new UsageException(
            "--data " + place.place() + ": a topic has no end: give a data set");
      }
      return place;
    } catch (InvalidDataException e) {
      throw new UsageException("--data " + e.getMessage(), e);
    }
  }

  private void warn(List<String> sentences) {
    PrintWriter err = spec.commandLine().getErr();
    sentences.forEach(
        sentence -> err.println("braid: warning: " + Printable.of(Places.within(sentence))));
  }

  private static EvaluationText evaluate(ScoredModel scored, Samples samples) {
    ModelCard card = scored.card();
    return card.hasValues()
        ? new ValueEvaluationText(
            ValueEvaluation.of(
                scored.spec(),
                samples,
                card.valueColumns().stream().mapToDouble(TableColumn::deviation).toArray()),
            card.valueColumns().stream().map(TableColumn::shownName).toList())
        : new ClassEvaluationText(ModelEvaluation.of(scored.spec(), samples), card.classNames());
  }

  /**
   * Scales rows of pixels. Images are already scaled when they are read, but rows may be of any
   * kind.
   */
  private static Samples scaled(ModelCard card, DataLocation place, Samples samples) {
    return place.isImages() || card.divisor() == 1
        ? samples
        : new DividedSamples(samples, card.divisor());
  }

  private Part part(ModelCard card, DataLocation place) {
    if (rows == null) {
      return place.isImages() || place.place().equals(card.data()) ? Part.TEST : Part.ALL;
    }
    for (Part part : Part.values()) {
      if (part.name().toLowerCase(Locale.ROOT).equals(rows)) {
        if (part == Part.ALL && place.isImages()) {
          throw new UsageException("--rows all: only for a file of rows: use test or train");
        }
        return part;
      }
    }
    throw UsageException.unknownName("--rows", rows, "test, train, all");
  }
}
