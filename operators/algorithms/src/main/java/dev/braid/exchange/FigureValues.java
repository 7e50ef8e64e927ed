package dev.braid.exchange;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * One value of each {@link Figure}: the figures of an exchange so far, of a round, or their sums.
 *
 * @param values the first values, in the order of the figures; all others are 0
 */
public record FigureValues(double... values) {

  public FigureValues {
    int most = Figure.ALL.size();
    if (values.length > most) {
      throw new IllegalArgumentException(values.length + " figures: must be at most " + most);
    }
    values = Arrays.copyOf(values, most);
  }

  public double get(Figure figure) {
    return values[figure.index()];
  }

  public void set(Figure figure, double value) {
    values[figure.index()] = value;
  }

  public void add(Figure figure, double value) {
    values[figure.index()] += value;
  }

  public void add(Figure figure, long value) {
    values[figure.index()] += value;
  }

  /** Adds other values, each to the value of its figure. */
  public void add(FigureValues other) {
    for (int i = 0; i < values.length; i++) {
      values[i] += other.values[i];
    }
  }

  /** Sets all values to 0. */
  public void clear() {
    Arrays.fill(values, 0);
  }

  /** Returns the figures of the rounds between an earlier reading of an exchange and this one. */
  public FigureValues since(FigureValues before) {
    FigureValues since = new FigureValues(values);
    for (Figure figure : Figure.ALL) {
      if (figure.aggregation() == Figure.Aggregation.TOTAL) {
        since.set(figure, get(figure) - before.get(figure));
      }
    }
    return since;
  }

  /** Returns the sums of these rounds and later ones, or of these rounds and another rank's. */
  public FigureValues plus(FigureValues other) {
    FigureValues all = new FigureValues(values);
    boolean hasTree = other.get(Figure.TREE_CHILDREN) > 0;
    for (Figure figure : Figure.ALL) {
      double value = other.get(figure);
      switch (figure.aggregation()) {
        case TOTAL, EACH_ROUND -> all.add(figure, value);
        case MAX -> all.set(figure, Math.max(get(figure), value));
        case LAST -> all.set(figure, hasTree ? value : get(figure));
      }
    }
    return all;
  }

  public void write(DataOutput out) throws IOException {
    out.writeInt(values.length);
    for (double value : values) {
      out.writeDouble(value);
    }
  }

  public static FigureValues read(DataInput in) throws IOException {
    int count = in.readInt();
    int most = Figure.ALL.size();
    if (count < 0 || count > most) {
      throw new IOException(count + " figures: must be 0 to " + most);
    }
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = in.readDouble();
    }
    return new FigureValues(values);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FigureValues them && Arrays.equals(values, them.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
