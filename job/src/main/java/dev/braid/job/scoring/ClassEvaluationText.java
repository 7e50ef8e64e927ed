package dev.braid.job.scoring;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.braid.job.result.Json;
import dev.braid.learner.network.ModelEvaluation;
import dev.braid.learner.network.ModelEvaluation.OfClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** How well a model classifies, in words or as JSON. */
final class ClassEvaluationText implements EvaluationText {

  /** A matrix of more is as wide as no terminal. */
  private static final int SHOWN_CLASSES = 20;

  private final ModelEvaluation evaluation;
  private final List<String> names;

  /**
   * @param names of the classes
   */
  ClassEvaluationText(ModelEvaluation evaluation, List<String> names) {
    this.evaluation = evaluation;
    this.names = names;
  }

  /** The whole as a line of JSON. */
  private record Whole(
      String model,
      String data,
      int samples,
      double accuracy,
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
    lines.add(format("accuracy  %.2f %%", 100 * evaluation.accuracy()));
    lines.add(format("loss      %.4f", evaluation.loss()));
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
    lines.add("");
    lines.addAll(matrix(width));
    return lines;
  }

  private List<String> matrix(int width) {
    if (names.size() > SHOWN_CLASSES) {
      return List.of(
          format("the confusion matrix of %,d classes is in what --json prints", names.size()));
    }
    List<String> lines = new ArrayList<>();
    lines.add("confusion matrix: a row for each class, a column for what the model takes it for");
    int most =
        evaluation.confusion().stream().flatMap(List::stream).mapToInt(i -> i).max().orElse(0);
    int cell = Math.max(Integer.toString(most).length(), 3);
    for (String name : names) {
      cell = Math.max(cell, Math.min(EvaluationText.shown(name).length(), 10));
    }
    StringBuilder head = new StringBuilder(" ".repeat(width));
    for (String name : names) {
      String shown = EvaluationText.shown(name);
      head.append("  ").append(right(shown.substring(0, Math.min(cell, shown.length())), cell));
    }
    lines.add(head.toString());
    for (int i = 0; i < names.size(); i++) {
      StringBuilder line =
          new StringBuilder(format("%-" + width + "s", EvaluationText.shown(names.get(i))));
      for (int count : evaluation.confusion().get(i)) {
        line.append("  ").append(right(Integer.toString(count), cell));
      }
      lines.add(line.toString());
    }
    return lines;
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
