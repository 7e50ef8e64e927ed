package dev.braid.connectors.text;

import java.util.List;

/**
 * What a user says of a table's columns, each by its name or its number, from 1.
 *
 * @param label the column of the class; empty for the last one
 * @param ignored columns that are no features
 * @param text columns that are categories, though they be numbers
 * @param standardized whether columns of numbers are to have mean 0 and standard deviation 1 over
 *     the training rows
 */
public record TableOptions(
    String label, List<String> ignored, List<String> text, boolean standardized) implements Table {

  /** The last column is the class, and numbers are taken as they are. */
  public static final TableOptions DEFAULT = new TableOptions("", List.of(), List.of(), false);

  public TableOptions {
    ignored = List.copyOf(ignored);
    text = List.copyOf(text);
  }

  /** Returns these options with columns of numbers standardized, or left as they are. */
  public TableOptions withStandardized(boolean standardize) {
    return new TableOptions(label, ignored, text, standardize);
  }
}
