package dev.braid.job.scoring;

import dev.braid.connectors.text.TableColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Interpretation of a model's outputs for a sample, as cells of a table or as JSON. */
sealed interface Answers {

  /** Returns the cells of the first row. */
  List<String> head();

  /** Returns the cells of a sample's row. */
  List<String> cells(float[] outputs);

  /** Returns the values of a sample by name, for JSON. */
  Map<String, Object> json(float[] outputs);

  /**
   * A class, with the output of each class.
   *
   * @param names label of each output
   */
  record Classes(List<String> names) implements Answers {

    @Override
    public List<String> head() {
      List<String> head = new ArrayList<>(List.of("class"));
      head.addAll(names);
      return head;
    }

    @Override
    public List<String> cells(float[] outputs) {
      List<String> cells = new ArrayList<>(List.of(names.get(best(outputs))));
      for (float output : outputs) {
        cells.add(Float.toString(output));
      }
      return cells;
    }

    @Override
    public Map<String, Object> json(float[] outputs) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("class", names.get(best(outputs)));
      Map<String, Float> probabilities = new LinkedHashMap<>();
      for (int c = 0; c < outputs.length; c++) {
        probabilities.put(names.get(c), outputs[c]);
      }
      line.put("probabilities", probabilities);
      return line;
    }

    private static int best(float[] outputs) {
      int best = 0;
      for (int c = 1; c < outputs.length; c++) {
        if (outputs[c] > outputs[best]) {
          best = c;
        }
      }
      return best;
    }
  }

  /**
   * Values in the units of the data.
   *
   * @param columns name and scale of each output
   */
  record Values(List<TableColumn> columns) implements Answers {

    @Override
    public List<String> head() {
      return columns.stream().map(TableColumn::shownName).toList();
    }

    @Override
    public List<String> cells(float[] outputs) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < outputs.length; i++) {
        cells.add(Float.toString(columns.get(i).unscaled(outputs[i])));
      }
      return cells;
    }

    @Override
    public Map<String, Object> json(float[] outputs) {
      Map<String, Float> values = new LinkedHashMap<>();
      for (int i = 0; i < outputs.length; i++) {
        values.put(columns.get(i).shownName(), columns.get(i).unscaled(outputs[i]));
      }
      return new LinkedHashMap<>(Map.of("values", values));
    }
  }
}
