package dev.braid.api;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableOptions;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;

/** A data set: files that all machines of the cluster can read. */
@PublicEvolving
public final class DataSet {

  private final DataLocation location;

  private DataSet(DataLocation location) {
    this.location = location;
  }

  /**
   * Returns the data set at a place.
   *
   * @param place {@code mnist}, which needs the jar {@code braid-mnist}; a folder of images or IDX
   *     files; a table (.csv, .tsv), whose last column is the class; or a LibSVM file
   * @throws dev.braid.connectors.file.InvalidDataException if there is no data set at the place
   */
  public static DataSet at(String place) {
    return new DataSet(DataLocation.of(place));
  }

  /**
   * Returns the data set of a table with a column of classes.
   *
   * @param file table, .csv or .tsv
   * @param label name of the column
   */
  public static DataSet table(String file, String label) {
    return new DataSet(DataLocation.of(file).withTable(columns(label)));
  }

  /**
   * Returns the data set of a table with a column of numbers to predict. All numbers are
   * standardized.
   *
   * @param file table, .csv or .tsv
   * @param value name of the column
   */
  public static DataSet regression(String file, String value) {
    return new DataSet(DataLocation.of(file).withTable(columns(value)).withValues());
  }

  private static TableOptions columns(String label) {
    return new TableOptions(
        label, List.of(), List.of(), true, TableOptions.Header.AUTO, Missing.FAIL, List.of());
  }

  DataLocation location() {
    return location;
  }
}
