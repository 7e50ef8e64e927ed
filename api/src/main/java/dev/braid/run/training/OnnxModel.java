package dev.braid.run.training;

import dev.braid.connectors.image.ChannelScale;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Classifier;
import dev.braid.learner.onnx.OnnxGraph;
import dev.braid.run.result.Versions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * A saved model as an ONNX file. It takes numbers and texts as the data has them, and returns
 * classes, or values in the units of the data. Texts must have no blanks around them, and images
 * must have the size that the model takes.
 *
 * @param bytes content of the file
 * @param inputs name and type of each input, a line each
 * @param outputs name and type of each output, a line each
 */
public record OnnxModel(byte[] bytes, List<String> inputs, List<String> outputs) {

  private static final String FEATURES = "features";
  private static final String CLASS = "class";
  private static final String SCORES = "scores";
  private static final String VALUES = "values";

  /**
   * Returns a model as an ONNX file.
   *
   * @param card what the model expects
   * @throws InvalidModelException if ONNX has no operators for a layer or a column, or the model
   *     does not take such samples
   */
  public static OnnxModel of(ModelSpec spec, ModelCard card) {
    Writer writer = new Writer(spec.name(), card);
    try (Classifier classifier = Classifier.of(spec, card.shape())) {
      writer.answers(classifier.addTo(writer.graph, writer.features()));
    }
    return new OnnxModel(
        writer.graph.toBytes(Versions.braid()),
        List.copyOf(writer.inputs),
        List.copyOf(writer.outputs));
  }

  /** Columns that are one input. */
  private record Field(String name, List<TableColumn> columns) {

    boolean isText() {
      return columns.get(0).isText();
    }
  }

  /** Builds the graph. */
  private static final class Writer {

    private final OnnxGraph graph = new OnnxGraph();
    private final List<String> inputs = new ArrayList<>();
    private final List<String> outputs = new ArrayList<>();
    private final String model;
    private final ModelCard card;

    Writer(String model, ModelCard card) {
      this.model = model;
      this.card = card;
    }

    // ---- from data to samples

    /**
     * Returns the name of the tensor that has the samples in the form that the model was trained
     * on.
     */
    String features() {
      if (card.schema().isPresent()) {
        return columns(card.schema().get().columns());
      }
      Shape shape = card.shape();
      if (!card.hasImages()) {
        return input(FEATURES, OnnxGraph.Elements.FLOAT, shape.features());
      }
      String bytes =
          input("image", OnnxGraph.Elements.FLOAT, shape.channels(), shape.height(), shape.width());
      String pixels = graph.apply("Div", bytes, graph.constant(card.divisor()));
      List<ChannelScale> scales = card.imageOptions().scales();
      if (!scales.isEmpty()) {
        String means = channels(scales.stream().mapToDouble(ChannelScale::mean).toArray());
        String deviations =
            channels(scales.stream().mapToDouble(ChannelScale::deviation).toArray());
        pixels = graph.apply("Div", graph.apply("Sub", pixels, means), deviations);
      }
      return graph.node("Flatten", pixels).with("axis", 1).add();
    }

    private String input(String name, OnnxGraph.Elements type, long... sides) {
      graph.input(name, type, sides);
      inputs.add(described(name, type, sides));
      return name;
    }

    private static String described(String name, OnnxGraph.Elements type, long... sides) {
      StringBuilder line = new StringBuilder(name + ": " + type.title() + " [samples");
      LongStream.of(sides).forEach(side -> line.append(", ").append(side));
      return line.append(']').toString();
    }

    /**
     * Returns a constant with a number for each channel, which broadcasts to a tensor of [samples,
     * channels, height, width].
     */
    private String channels(double[] values) {
      float[] floats = new float[values.length];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) values[i];
      }
      return graph.constant(floats, 1, floats.length, 1, 1);
    }

    private String columns(List<TableColumn> columns) {
      List<Field> fields = fields(columns);
      Set<String> names =
          new HashSet<>(card.hasValues() ? List.of(VALUES) : List.of(CLASS, SCORES));
      fields.forEach(field -> requireNew(names, field));
      graph.reserve(names);
      List<String> parts =
          fields.stream()
              .map(it -> it.isText() ? text(it.columns().get(0)) : numbers(it.name(), it.columns()))
              .toList();
      return parts.size() == 1
          ? parts.get(0)
          : graph.node("Concat", parts.toArray(String[]::new)).with("axis", 1).add();
    }

    private void requireNew(Set<String> names, Field field) {
      if (!names.add(field.name())) {
        throw new InvalidModelException(
            "model %s: %s: another input or output of the ONNX file has this name: another name of the column is needed"
                .formatted(model, TableColumn.title(field.columns().get(0).index(), field.name())));
      }
    }

    /**
     * Returns the inputs of a table. The columns of an array are one input, and so are all columns
     * if none has a name.
     */
    private static List<Field> fields(List<TableColumn> columns) {
      boolean isNameless =
          columns.stream().allMatch(it -> it.name().isEmpty() && !it.isText() && !it.time());
      if (isNameless) {
        return List.of(new Field(FEATURES, columns));
      }
      return TableSchema.groups(columns).stream()
          .map(
              it ->
                  new Field(
                      it.isArray() ? it.name() : it.columns().get(0).shownName(), it.columns()))
          .toList();
    }

    /** Adds an input of numbers in double precision, in which Braid scales them. */
    private String numbers(String name, List<TableColumn> columns) {
      String value = input(name, OnnxGraph.Elements.DOUBLE, columns.size());
      if (columns.stream().anyMatch(TableColumn::isFilled)) {
        String fills = row(columns, TableColumn::fill);
        value = graph.apply("Where", graph.apply("IsNaN", value), fills, value);
      }
      if (!columns.stream().allMatch(TableColumn::isPlain)) {
        String centred = graph.apply("Sub", value, row(columns, TableColumn::mean));
        value = graph.apply("Div", centred, row(columns, TableColumn::deviation));
      }
      return graph.cast(value, OnnxGraph.Elements.FLOAT);
    }

    /** Returns a constant with one number for each column. */
    private String row(List<TableColumn> columns, ToDoubleFunction<TableColumn> number) {
      return graph.doubles(columns.stream().mapToDouble(number).toArray());
    }

    /**
     * Adds an input of texts. Each category becomes a number: 1 for the category of the text, else
     * 0.
     */
    private String text(TableColumn column) {
      if (column.isHashed()) {
        throw new InvalidModelException(
            "model %s: %s: its texts are hashed, which no operator of ONNX does: only categories that are listed can be exported"
                .formatted(model, TableColumn.title(column.index(), column.name())));
      }
      int count = column.categories().size();
      long[] codes = LongStream.range(0, count).toArray();
      String code =
          graph
              .node("LabelEncoder", input(column.shownName(), OnnxGraph.Elements.TEXT, 1))
              .ofMl()
              .with("keys_strings", column.categories())
              .with("values_int64s", codes)
              .with("default_int64", -1)
              .add();
      return graph.cast(graph.apply("Equal", code, graph.wholes(codes)), OnnxGraph.Elements.FLOAT);
    }

    // ---- from outputs to answers

    /** Adds the outputs. */
    void answers(String scores) {
      int count = card.shape().outputs();
      if (card.hasValues()) {
        List<TableColumn> columns = card.valueColumns();
        String value = scores;
        if (!columns.stream().allMatch(TableColumn::isPlain)) {
          String product =
              graph.apply(
                  "Mul",
                  graph.cast(scores, OnnxGraph.Elements.DOUBLE),
                  row(columns, TableColumn::deviation));
          String sum = graph.apply("Add", product, row(columns, TableColumn::mean));
          value = graph.cast(sum, OnnxGraph.Elements.FLOAT);
        }
        graph.node("Identity", value).addAs(VALUES);
        output(VALUES, OnnxGraph.Elements.FLOAT, count);
        return;
      }
      String best = graph.node("ArgMax", scores).with("axis", 1).with("keepdims", 0).add();
      graph
          .node("LabelEncoder", best)
          .ofMl()
          .with("keys_int64s", LongStream.range(0, count).toArray())
          .with("values_strings", card.classNames())
          .addAs(CLASS);
      output(CLASS, OnnxGraph.Elements.TEXT);
      graph.node("Identity", scores).addAs(SCORES);
      output(SCORES, OnnxGraph.Elements.FLOAT, count);
    }

    private void output(String name, OnnxGraph.Elements type, long... sides) {
      graph.output(name, type, sides);
      outputs.add(described(name, type, sides));
    }
  }
}
