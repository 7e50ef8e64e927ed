package dev.braid.connectors.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.record.RecordForm.Format;
import dev.braid.connectors.record.SampleDecoder.Outcome;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.formats.avro.AvroRowDataSerializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** Forms of records, and records in these forms, for tests. */
final class DecodedRecords {

  static final List<String> YES_NO = List.of("no", "yes");

  /** Columns of all kinds. */
  static final List<TableColumn> ALL =
      List.of(
          TableColumn.numbers(0, "rooms"),
          new TableColumn(1, "area", 70, 20, List.of(), false, 90),
          new TableColumn(2, "city", 0, 1, List.of("Berlin", "", "7")),
          TableColumn.hashed(3, "zip", 8),
          new TableColumn(4, "sold", 20000, 100, List.of(), true, Double.NaN),
          TableColumn.numbers(5, "px[0]"),
          new TableColumn(6, "px[1]", 0, 255, List.of()));

  private DecodedRecords() {}

  static RecordForm form(
      Format format, List<TableColumn> columns, Missing missing, List<String> classes) {
    TableSchema schema =
        TableSchema.ofClasses(true, columns.size() + 1, columns.size(), "label", columns, missing);
    return new RecordForm(format, schema, false, classes, "", "", 0);
  }

  /**
   * Returns a form whose records have the features {@code a} and {@code b}, and a weight {@code w}.
   */
  static RecordForm weighted(Format format, String key) {
    return new RecordForm(
        format, numbers(Missing.DROP, "a", "b").schema(), false, YES_NO, key, "w", 0);
  }

  static RecordForm form(Format format) {
    return form(format, ALL, Missing.FAIL, YES_NO);
  }

  static RecordForm numbers(Missing missing, String... names) {
    return form(
        Format.JSON,
        IntStream.range(0, names.length).mapToObj(i -> TableColumn.numbers(i, names[i])).toList(),
        missing,
        YES_NO);
  }

  static RecordForm regression(Format format, double holdout, String key) {
    TableSchema schema =
        new TableSchema(
            true,
            3,
            List.of(new TableColumn(1, "price", 10, 5, List.of()), TableColumn.numbers(2, "rent")),
            List.of(TableColumn.numbers(0, "x")),
            Missing.FAIL);
    return new RecordForm(format, schema, true, List.of(), key, "", holdout);
  }

  /** A decoded record. */
  record Decoded(Outcome outcome, float[] features, float[] targets, float weight) {}

  static Decoded decode(RecordForm form, byte[] value) {
    return decode(new RecordDecoder(form), form, value);
  }

  static Decoded decode(RecordDecoder decoder, RecordForm form, byte[] value) {
    float[] features = new float[form.shape().features() + 2];
    float[] targets = new float[form.shape().outputs() + 2];
    Arrays.fill(features, 99);
    Arrays.fill(targets, 99);
    float[] weights = {99, 99};
    Outcome outcome = decoder.decode(null, value, features, 1, targets, 1, weights, 1);
    assertThat(features[0]).isEqualTo(99);
    assertThat(features[features.length - 1]).isEqualTo(99);
    assertThat(targets[0]).isEqualTo(99);
    return new Decoded(
        outcome,
        Arrays.copyOfRange(features, 1, features.length - 1),
        Arrays.copyOfRange(targets, 1, targets.length - 1),
        weights[1]);
  }

  static Decoded decode(RecordForm form, String value) {
    return decode(form, value.getBytes(UTF_8));
  }

  static void refuses(RecordForm form, String value, String... words) {
    refuses(form, value.getBytes(UTF_8), words);
  }

  static void refuses(RecordForm form, byte[] value, String... words) {
    RecordDecoder decoder = new RecordDecoder(form);
    assertThatThrownBy(() -> decode(decoder, form, value))
        .isInstanceOf(InvalidRecordException.class)
        .message()
        .satisfies(message -> assertThat(List.of(words)).allMatch(message::contains))
        .doesNotContain("\n")
        .hasSizeLessThan(300);
  }

  /** Returns the columns of a Flink table whose rows are such records. */
  private static RowType rowType(RecordForm form) {
    return new RowType(
        false,
        form.layout().slots().stream()
            .map(
                slot ->
                    new RowType.RowField(
                        slot.name(),
                        switch (slot.kind()) {
                          case NUMBER -> new FloatType();
                          case NUMBERS -> new ArrayType(new FloatType());
                          case TEXT -> new VarCharType(VarCharType.MAX_LENGTH);
                        }))
            .toList());
  }

  static byte[] avro(RecordForm form, Object... fields) {
    AvroRowDataSerializationSchema schema = new AvroRowDataSerializationSchema(rowType(form));
    try {
      schema.open(
          new SerializationSchema.InitializationContext() {
            @Override
            public MetricGroup getMetricGroup() {
              return new UnregisteredMetricsGroup();
            }

            @Override
            public UserCodeClassLoader getUserCodeClassLoader() {
              return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
            }
          });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    RowData row =
        GenericRowData.of(
            Arrays.stream(fields)
                .map(it -> it instanceof String text ? StringData.fromString(text) : it)
                .toArray());
    return schema.serialize(row);
  }
}
