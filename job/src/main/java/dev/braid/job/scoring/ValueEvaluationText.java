package dev.braid.job.scoring;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.braid.learner.network.ValueEvaluation;
import dev.braid.learner.network.ValueEvaluation.OfOutput;
import dev.braid.run.result.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Evaluation of a regression's values, as text or as JSON. */
final class ValueEvaluationText implements EvaluationText {

  private final ValueEvaluation evaluation;
  private final List<String> names;

  /**
   * @param names the values' names
   */
  ValueEvaluationText(ValueEvaluation evaluation, List<String> names) {
    this.evaluation = evaluation;
    this.names = names;
  }

  private record Whole(
      String model, String data, int samples, double loss, List<OneValue> values) {}

  private record OneValue(
      String name,
      double mse,
      double rmse,
      double mae,
      @JsonProperty @JsonInclude(JsonInclude.Include.NON_ABSENT) OptionalDouble r2) {}

  @Override
  public String toJson(String model, String data) {
    return Json.write(
        new Whole(
            model,
            data,
            evaluation.samples(),
            evaluation.loss(),
            IntStream.range(0, names.size()).mapToObj(this::oneValue).toList()));
  }

  private OneValue oneValue(int index) {
    OfOutput one = evaluation.outputs().get(index);
    return new OneValue(names.get(index), one.mse(), one.rmse(), one.mae(), one.r2());
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(format("loss      %.4f", evaluation.loss()));
    lines.add("");
    String row = "%-" + EvaluationText.width(names, "value") + "s  %10s  %10s  %10s  %8s";
    lines.add(format(row, "value", "MSE", "RMSE", "MAE", "R²"));
    for (int i = 0; i < names.size(); i++) {
      OfOutput one = evaluation.outputs().get(i);
      lines.add(
          format(
              row,
              EvaluationText.shown(names.get(i)),
              format("%.5g", one.mse()),
              format("%.5g", one.rmse()),
              format("%.5g", one.mae()),
              one.r2().isPresent() ? format("%.4f", one.r2().getAsDouble()) : "–"));
    }
    return lines;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
