package dev.braid.run.result;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Work of a worker in an epoch: the figures that have a {@linkplain Figure#reportName name} in
 * evaluations, each divided as {@link Figure#per} says. Times are in seconds. A figure that the run
 * lacks is NaN, and absent from JSON.
 */
@JsonDeserialize(using = WorkerMeans.Reader.class)
public record WorkerMeans(FigureValues values) {

  /**
   * Creates the means.
   *
   * @param first the first figures; the others are unknown, or 0 if each run has them
   */
  public WorkerMeans(double... first) {
    this(new FigureValues(first));
    Figure.ALL.stream()
        .skip(first.length)
        .filter(figure -> figure.per().mayBeUnknown())
        .forEach(figure -> values.set(figure, Double.NaN));
  }

  /** Returns the means of the sums over a number of workers. */
  public static WorkerMeans of(FigureValues sums, int workers) {
    FigureValues means = new FigureValues();
    for (Figure figure : Figure.ALL) {
      if (figure.reportName().isPresent()) {
        means.set(figure, mean(figure, sums, workers));
      }
    }
    return new WorkerMeans(means);
  }

  private static double mean(Figure figure, FigureValues sums, int workers) {
    double sum = figure.shown(sums.get(figure));
    double rounds = Math.max(1, sums.get(Figure.ROUNDS));
    double gradients = sums.get(Figure.GRADIENTS);
    return switch (figure.per()) {
      case RUN -> sum;
      case WORKER -> sum / workers;
      case ROUND -> sum / rounds;
      case ROUND_OF_ALL -> sum * workers / rounds;
      case SUM -> sum / Math.max(1, sums.get(Figure.SUMS));
      case GRADIENT -> gradients == 0 ? Double.NaN : sum / gradients;
      case WORKER_THAT_COMPRESSES -> gradients == 0 ? Double.NaN : sum / workers;
      case TREE -> sums.get(Figure.TREE_CHILDREN) == 0 ? Double.NaN : sum;
    };
  }

  /** Returns a figure; NaN if it is unknown. */
  public double get(Figure figure) {
    return values.get(figure);
  }

  /** Returns whether gradients were compressed. */
  public boolean hasCompressed() {
    return !Double.isNaN(get(Figure.DENSITY));
  }

  /** Returns whether another tree was chosen for this epoch than for the previous one. */
  public boolean hasAnotherTreeThan(WorkerMeans before) {
    return differs(Figure.TREE_CHILDREN, before) || differs(Figure.TREE_STRAGGLERS, before);
  }

  private boolean differs(Figure figure, WorkerMeans other) {
    return Double.compare(get(figure), other.get(figure)) != 0;
  }

  /** Describes the chosen tree and its expected times; empty if the tree is that of the options. */
  public Optional<String> treeInWords() {
    return Double.isNaN(get(Figure.PLANNED_TIME))
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "planned: n = %.0f, s = %.0f, %.1f ms per round expected, %.1f ms with the "
                    + "tree before",
                get(Figure.TREE_CHILDREN),
                get(Figure.TREE_STRAGGLERS),
                1e3 * get(Figure.PLANNED_TIME),
                1e3 * get(Figure.PLANNED_TIME_BEFORE)));
  }

  /** Returns the figures by name; those that are not divided are whole numbers. */
  @JsonValue
  Map<String, Number> json() {
    Map<String, Number> json = new LinkedHashMap<>();
    for (Figure figure : Figure.ALL) {
      double value = get(figure);
      boolean isUnknown = Double.isNaN(value) && figure.per().mayBeUnknown();
      if (figure.reportName().isEmpty() || isUnknown) {
        continue;
      }
      String name = figure.reportName().get();
      if (figure.per() == Figure.Per.RUN) {
        json.put(name, (long) value);
      } else {
        json.put(name, value);
      }
    }
    return json;
  }

  /** Reads what {@link #json} returns. */
  static final class Reader extends StdDeserializer<WorkerMeans> {

    private static final long serialVersionUID = 1;

    Reader() {
      super(WorkerMeans.class);
    }

    @Override
    public WorkerMeans deserialize(JsonParser json, DeserializationContext context)
        throws IOException {
      JavaType type =
          context.getTypeFactory().constructMapType(Map.class, String.class, Double.class);
      Map<String, Double> named = context.readValue(json, type);
      FigureValues values = new FigureValues();
      for (Figure figure : Figure.ALL) {
        if (figure.reportName().isPresent()) {
          String name = figure.reportName().get();
          Double value = named.remove(name);
          if (value == null && !figure.per().mayBeUnknown()) {
            throw MismatchedInputException.from(json, WorkerMeans.class, name + " is missing");
          }
          values.set(figure, value == null ? Double.NaN : value);
        }
      }
      for (String name : named.keySet()) {
        context.handleUnknownProperty(json, this, WorkerMeans.class, name);
      }
      return new WorkerMeans(values);
    }
  }
}
