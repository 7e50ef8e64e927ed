package dev.braid.job.scoring;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.braid.learner.network.ModelEvaluation;
import dev.braid.learner.network.ModelEvaluation.OfClass;
import dev.braid.run.result.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Evaluation of a classifier, as text or as JSON. */
final class ClassEvaluationText implements EvaluationText {

  /** Maximum number of classes in a confusion matrix; more would not fit a terminal. */
  private static final int SHOWN_CLASSES = 20;

  /** Width of a terminal, in characters. If names make a matrix wider, its columns have numbers. */
  private static final int MATRIX_WIDTH = 80;

  private final ModelEvaluation evaluation;
  private final List<String> names;

  /**
   * @param names the classes' names
   */
  ClassEvaluationText(ModelEvaluation evaluation, List<String> names) {
    this.evaluation = evaluation;
    this.names = names;
  }

  /** All figures, for a line of JSON. */
  private record Whole(
      String model,
      String data,
      int samples,
      double accuracy,
      double balancedAccuracy,
      double loss,
      double precision,
      double recall,
      double f1,
      List<OneClass> classes,
      List<List<Integer>> confusion) {}

  private record OneClass(
      String name,
      int samples,
      double precision,
      double recall,
      double f1,
      @JsonProperty @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalDouble auc) {}

  @Override
  public String toJson(String model, String data) {
    return Json.write(
        new Whole(
            model,
            data,
            evaluation.samples(),
            evaluation.accuracy(),
            evaluation.recall(),
            evaluation.loss(),
            evaluation.precision(),
            evaluation.recall(),
            evaluation.f1(),
            IntStream.range(0, names.size()).mapToObj(this::oneClass).toList(),
            evaluation.confusion()));
  }

  private OneClass oneClass(int index) {
    OfClass one = evaluation.classes().get(index);
    return new OneClass(
        names.get(index), one.samples(), one.precision(), one.recall(), one.f1(), one.auc());
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(format("accuracy           %.2f %%%s", 100 * evaluation.accuracy(), ofOneClass()));
    lines.add(format("balanced accuracy  %.2f %%", 100 * evaluation.recall()));
    lines.add(format("loss               %.4f", evaluation.loss()));
    lines.add("");
    int width = EvaluationText.width(names, "class");
    String row = "%-" + width + "s  %8s  %9s  %6s  %6s  %6s";
    lines.add(format(row, "class", "samples", "precision", "recall", "F1", "AUC"));
    for (int i = 0; i < names.size(); i++) {
      OfClass one = evaluation.classes().get(i);
      lines.add(
          format(
              row,
              EvaluationText.shown(names.get(i)),
              format("%,d", one.samples()),
              share(one.precision()),
              share(one.recall()),
              share(one.f1()),
              one.auc().isPresent() ? share(one.auc().getAsDouble()) : "–"));
    }
    lines.add(
        format(
            row,
            "mean",
            "",
            share(evaluation.precision()),
            share(evaluation.recall()),
            share(evaluation.f1()),
            ""));
    withoutSamples().ifPresent(lines::add);
    lines.add("");
    lines.addAll(matrix());
    return lines;
  }

  /**
   * Returns a note for the accuracy if every sample is of the same class; otherwise an empty text.
   */
  private String ofOneClass() {
    return indices(i -> evaluation.classes().get(i).samples() == evaluation.samples())
        .mapToObj(
            i ->
                " (every sample is of class %s: this does not cover other classes)"
                    .formatted(shownName(i)))
        .findFirst()
        .orElse("");
  }

  private Optional<String> withoutSamples() {
    List<String> none =
        indices(i -> evaluation.classes().get(i).samples() == 0).mapToObj(names::get).toList();
    return none.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the means leave out classes without samples: "
                + none.stream()
                    .limit(SHOWN_CLASSES)
                    .map(EvaluationText::shown)
                    .collect(joining(", "))
                + (none.size() > SHOWN_CLASSES ? ", …" : ""));
  }

  private IntStream indices(IntPredicate which) {
    return IntStream.range(0, names.size()).filter(which);
  }

  private List<String> matrix() {
    if (names.size() > SHOWN_CLASSES) {
      return List.of(format("--json prints the confusion matrix of %,d classes", names.size()));
    }
    int most =
        evaluation.confusion().stream().flatMap(List::stream).mapToInt(i -> i).max().orElse(0);
    int digits = Math.max(Integer.toString(most).length(), 3);
    List<String> rows = names.stream().map(EvaluationText::shown).toList();
    List<String> columns = rows;
    int cell = Math.max(digits, longest(rows));
    boolean isCut = !rows.equals(names);
    if (isCut || longest(rows) + names.size() * (cell + 2) > MATRIX_WIDTH) {
      columns = indices(i -> true).mapToObj(i -> Integer.toString(i + 1)).toList();
      rows = indices(i -> true).mapToObj(i -> format("%2d %s", i + 1, shownName(i))).toList();
      cell = digits;
    }
    List<String> lines = new ArrayList<>();
    lines.add("confusion matrix: a row for each true class, a column for each predicted class");
    lines.add(row("", longest(rows), columns, cell));
    for (int i = 0; i < names.size(); i++) {
      List<String> counts = evaluation.confusion().get(i).stream().map(String::valueOf).toList();
      lines.add(row(rows.get(i), longest(rows), counts, cell));
    }
    return lines;
  }

  private String shownName(int index) {
    return EvaluationText.shown(names.get(index));
  }

  private static int longest(List<String> texts) {
    return texts.stream().mapToInt(String::length).max().orElse(0);
  }

  private static String row(String name, int width, List<String> cells, int cell) {
    return name
        + " ".repeat(width - name.length())
        + cells.stream().map(text -> "  " + right(text, cell)).collect(joining());
  }

  private static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }

  private static String share(double value) {
    return format("%.4f", value);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
