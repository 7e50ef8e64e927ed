package dev.braid.api.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.registry.ModelVersion;
import dev.braid.learner.Shape;
import dev.braid.run.scoring.NumberedModels;
import dev.braid.run.training.ModelCard;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models in Flink SQL. */
class ModelSqlITCase {

  @TempDir private Path folder;

  private NumberedModels models;
  private final TableEnvironment tables =
      TableEnvironment.create(EnvironmentSettings.inStreamingMode());

  @BeforeEach
  void open() throws Exception {
    models = new NumberedModels(folder);
    tables.getConfig().set("parallelism.default", "1");
  }

  @AfterEach
  void close() {
    models.close();
  }

  /**
   * Returns the card of a model with the features a (standardized, filled), city (two categories),
   * x[0] and x[1], which predicts the rent.
   */
  private static ModelCard flats() {
    return ModelCard.parse(
        "model.json",
        """
        {"version": 1, "model": "logistic", "data": "flats.csv",
         "input": {"channels": 1, "height": 1, "width": 5}, "divisor": 1,
         "values": [{"column": 5, "name": "rent", "mean": 100, "deviation": 10}],
         "table": {"header": true, "columns": 5, "missing": "mean", "features": [
           {"column": 1, "name": "a", "mean": 5, "deviation": 2, "fill": 9},
           {"column": 2, "name": "city", "categories": ["Bonn", "Köln"]},
           {"column": 3, "name": "x[0]"}, {"column": 4, "name": "x[1]"}]}}
        """);
  }

  private void publishFlats(int number) throws Exception {
    // rent = 100 + 10 * (a' + 2 * Bonn + 3 * Köln + 4 * x0 + 5 * x1 + number)
    models.publish(
        number,
        new Shape(1, 1, 5, 1, Shape.Kind.VALUES),
        new float[] {1, 2, 3, 4, 5, number},
        Optional.of(flats()));
  }

  private void createFlats(String output) {
    tables.executeSql(
        """
        CREATE MODEL flats
        INPUT (city STRING, x ARRAY<DOUBLE>, a DECIMAL(10, 2))
        OUTPUT (%s)
        WITH ('provider' = 'braid', 'path' = '%s')
        """
            .formatted(output, folder));
  }

  private List<Row> rows(String query) throws Exception {
    List<Row> rows = new ArrayList<>();
    CloseableIterator<Row> found = tables.executeSql(query).collect();
    found.forEachRemaining(rows::add);
    found.close();
    return rows;
  }

  private void createHomes() {
    tables.executeSql(
        """
        CREATE VIEW homes AS SELECT * FROM (VALUES
          (1, 'Bonn', ARRAY[CAST(1 AS DOUBLE), 0], CAST(7 AS DECIMAL(10, 2))),
          (2, 'Ulm', ARRAY[CAST(0 AS DOUBLE), 2], CAST(NULL AS DECIMAL(10, 2))),
          (3, CAST(NULL AS STRING), CAST(NULL AS ARRAY<DOUBLE>), CAST(5 AS DECIMAL(10, 2))))
        AS t(id, town, numbers, age)
        """);
  }

  @Test
  void valuesAreInTheUnitsOfTheData() throws Exception {
    publishFlats(1);
    publishFlats(2);
    createFlats("rent DOUBLE, version STRING, error STRING, scores ARRAY<FLOAT>");
    createHomes();
    List<Row> rows =
        rows(
            "SELECT id, rent, version, error, scores FROM"
                + " ML_PREDICT(TABLE homes, MODEL flats, DESCRIPTOR(town, numbers, age))");
    assertThat(rows).hasSize(3);
    // (7 - 5) / 2 = 1, Bonn 2, x0 4, number 2
    assertThat(rows.get(0)).isEqualTo(Row.of(1, 190.0, "v2", null, new Float[] {190f}));
    // NULL is filled with 9: (9 - 5) / 2 = 2; 2 * 5; number 2
    assertThat(rows.get(1)).isEqualTo(Row.of(2, 240.0, "v2", null, new Float[] {240f}));
    assertThat(rows.get(2).getField(1)).isNull();
    assertThat(rows.get(2).getField(2)).isEqualTo("v2");
    assertThat((String) rows.get(2).getField(3)).contains("x");
    assertThat(rows.get(2).getField(4)).isNull();
  }

  @Test
  void classesHaveNamesAndFeaturesAnOrder() throws Exception {
    Shape shape = Shape.rows(2, 2);
    models.publish(
        1,
        shape,
        new float[] {-9, 9, 0, 0, 0, 0},
        Optional.of(ModelCard.ofRows("logistic", "data", shape)));
    models.publish(
        2,
        shape,
        new float[] {9, -9, 0, 0, 0, 0},
        Optional.of(ModelCard.ofRows("logistic", "data", shape)));
    tables.executeSql(
        """
        CREATE MODEL points INPUT (u DOUBLE, v INT)
        OUTPUT (class STRING, scores ARRAY<DOUBLE>, version STRING)
        WITH ('provider' = 'braid', 'path' = '%s', 'version' = 'v1')
        """
            .formatted(folder));
    tables.executeSql(
        "CREATE VIEW p AS SELECT * FROM (VALUES (CAST(-2 AS DOUBLE), 3), (2, 3)) AS t(a, b)");
    List<Row> rows =
        rows(
            "SELECT a, class, scores[1] > 0.9, version FROM"
                + " ML_PREDICT(TABLE p, MODEL points, DESCRIPTOR(a, b))");
    assertThat(rows).containsExactly(Row.of(-2.0, "0", true, "v1"), Row.of(2.0, "1", false, "v1"));
  }

  @Test
  void versionsAreSwappedWhileAQueryRuns() throws Exception {
    publishNumbers(1);
    tables.executeSql(
        "CREATE MODEL numbers INPUT (u INT) OUTPUT (v DOUBLE, version STRING)"
            + " WITH ('provider' = 'braid', 'path' = '%s')".formatted(folder));
    tables.executeSql(
        "CREATE TABLE n (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '500',"
            + " 'fields.a.kind' = 'sequence', 'fields.a.start' = '0', 'fields.a.end' = '900000')");
    CloseableIterator<Row> rows =
        tables
            .executeSql("SELECT * FROM ML_PREDICT(TABLE n, MODEL numbers, DESCRIPTOR(a))")
            .collect();
    int next = 0;
    for (int number = 1; number <= 3; number++) {
      Row row = Row.of(next, null, "");
      while (!("v" + number).equals(row.getField(2))) {
        row = rows.next();
        int version = ModelVersion.number((String) row.getField(2));
        assertThat(row.getField(0)).isEqualTo(next);
        assertThat(row.getField(1)).isEqualTo(next + 1000.0 * version);
        next++;
      }
      publishNumbers(number + 1);
    }
    rows.close();
  }

  private void publishNumbers(int number) throws Exception {
    models.publish(
        number,
        NumberedModels.VALUE,
        new float[] {1, 1000f * number},
        Optional.of(ModelCard.ofRows("logistic", "data", NumberedModels.VALUE)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "rent STRING; rent",
        "price DOUBLE; price",
        "class STRING; class",
        "scores DOUBLE; scores",
        "version INT; version",
        "rent DOUBLE NOT NULL; rent",
        "rent TIMESTAMP; rent",
      })
  void anImpossibleOutputIsRefusedAtPlanning(String output, String column) throws Exception {
    publishFlats(1);
    createFlats(output);
    createHomes();
    assertThatThrownBy(
            () ->
                tables.explainSql(
                    "SELECT * FROM"
                        + " ML_PREDICT(TABLE homes, MODEL flats, DESCRIPTOR(town, numbers, age))"))
        .isInstanceOf(ValidationException.class)
        .rootCause()
        .hasMessageContaining("OUTPUT column " + column);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "city STRING, x ARRAY<DOUBLE>, b DOUBLE; a",
        "city STRING, x ARRAY<DOUBLE>, a BOOLEAN; a",
        "city DOUBLE, x ARRAY<DOUBLE>, a DOUBLE; city",
        "city STRING, x ARRAY<STRING>, a DOUBLE; x",
        "city STRING, x ARRAY<DOUBLE>, a BYTES; a",
      })
  void anImpossibleInputIsRefusedAtPlanning(String input, String column) throws Exception {
    publishFlats(1);
    tables.executeSql(
        "CREATE MODEL flats INPUT (%s) OUTPUT (rent DOUBLE) WITH ('provider' = 'braid', 'path' = '%s')"
            .formatted(input, folder));
    tables.executeSql("CREATE TABLE t (%s) WITH ('connector' = 'datagen')".formatted(input));
    String names = input.replaceAll(" [A-Z<>]+", "");
    assertThatThrownBy(
            () ->
                tables.explainSql(
                    "SELECT * FROM ML_PREDICT(TABLE t, MODEL flats, DESCRIPTOR(%s))"
                        .formatted(names)))
        .isInstanceOf(ValidationException.class)
        .rootCause()
        .hasMessageContaining(column);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"'version' = 'newest'; newest", "'folder' = 'x'; folder"})
  void anImpossibleOptionIsRefusedAtPlanning(String option, String named) {
    tables.executeSql(
        "CREATE MODEL m INPUT (a DOUBLE) OUTPUT (b DOUBLE) WITH ('provider' = 'braid', 'path' = '%s', %s)"
            .formatted(folder, option));
    tables.executeSql("CREATE TABLE t (a DOUBLE) WITH ('connector' = 'datagen')");
    assertThatThrownBy(
            () -> tables.explainSql("SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a))"))
        .hasStackTraceContaining(named);
  }
}
