package dev.braid.connectors.text;

import java.util.List;

/**
 * The user's options for a table's columns. A column is given by its name or its number, from 1.
 *
 * @param label the column of the class; empty for the last one
 * @param ignored columns that are not features
 * @param text columns that are categories even if they contain numbers
 * @param standardized whether columns of numbers are scaled to mean 0 and standard deviation 1 over
 *     the training rows
 * @param header whether the first row has the columns' names
 * @param missing how cells without a number are processed
 * @param time columns of dates and times
 */
public record TableOptions(
    String label,
    List<String> ignored,
    List<String> text,
    boolean standardized,
    Header header,
    Missing missing,
    List<String> time)
    implements Table {

  /** Whether the first row of a table has the columns' names. */
  public enum Header {
    /** The cells of the first rows decide. */
    AUTO,
    YES,
    NO
  }

  /** Default options: the last column is the class, and numbers are not scaled. */
  public static final TableOptions DEFAULT = new TableOptions("", List.of(), List.of(), false);

  public TableOptions {
    ignored = List.copyOf(ignored);
    text = List.copyOf(text);
    time = List.copyOf(time);
  }

  /**
   * Creates options for a table without gaps and dates, whose rows show whether there is a header.
   */
  public TableOptions(String label, List<String> ignored, List<String> text, boolean standardized) {
    this(label, ignored, text, standardized, Header.AUTO, Missing.FAIL, List.of());
  }

  /** Returns these options with another choice for the header. */
  public TableOptions withHeader(Header choice) {
    return new TableOptions(label, ignored, text, standardized, choice, missing, time);
  }

  /** Returns these options with another choice for missing values. */
  public TableOptions withMissing(Missing choice) {
    return new TableOptions(label, ignored, text, standardized, header, choice, time);
  }

  /** Returns these options with columns of dates and times. */
  public TableOptions withTime(List<String> columns) {
    return new TableOptions(label, ignored, text, standardized, header, missing, columns);
  }

  /** Returns these options with columns of numbers standardised or not. */
  public TableOptions withStandardized(boolean standardize) {
    return new TableOptions(label, ignored, text, standardize, header, missing, time);
  }
}
