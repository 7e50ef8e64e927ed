package example;

import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/** Scores the rows of a table with the newest published version of a model. */
public final class SqlScoring {

  private SqlScoring() {}

  /**
   * Prints the rents of some flats.
   *
   * @param args the registry of the model
   */
  public static void main(String[] args) throws Exception {
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    tables.getConfig().set("parallelism.default", "1");
    tables.executeSql(
        "CREATE VIEW offers AS SELECT * FROM (VALUES"
            + " (1, CAST(80.5 AS DOUBLE), 3, 25, 'hills'),"
            + " (2, 45.0, 2, 3, 'centre'),"
            + " (3, CAST(NULL AS DOUBLE), 4, 60, 'harbour'))"
            + " AS t (id, size, number_of_rooms, years, district)");
    tables.executeSql(
        "CREATE MODEL flats"
            + " INPUT (area DOUBLE, rooms INT, age INT, district STRING)"
            + " OUTPUT (price DOUBLE, rent DOUBLE, version STRING, error STRING)"
            + " WITH ('provider' = 'braid', 'path' = '"
            + args[0]
            + "')");
    tables
        .executeSql(
            "SELECT id, price, rent, version, error FROM"
                + " ML_PREDICT(TABLE offers, MODEL flats,"
                + " DESCRIPTOR(size, number_of_rooms, years, district))")
        .print();
  }
}
