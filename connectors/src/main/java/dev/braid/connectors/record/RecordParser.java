package dev.braid.connectors.record;

import dev.braid.files.Printable;
import java.io.IOException;
import java.io.Serial;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.formats.avro.AvroRowDataDeserializationSchema;
import org.apache.flink.formats.common.TimestampFormat;
import org.apache.flink.formats.csv.CsvRowDataDeserializationSchema;
import org.apache.flink.formats.json.JsonParserRowDataDeserializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.core.JsonParser;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** Parses the value of a record with a format of Flink's tables. Belongs to one thread. */
final class RecordParser {

  private static final int MAX_BYTES = 16 << 20;
  private static final int SHOWN_LETTERS = 160;

  private final RecordForm.Format format;
  private final DeserializationSchema<RowData> schema;
  private final AvroBounds bounds;

  RecordParser(RecordForm.Format format, RowType row, int longestArray) {
    this.format = format;
    this.schema = opened(schema(format, row));
    this.bounds = new AvroBounds(row, longestArray);
  }

  private static DeserializationSchema<RowData> schema(RecordForm.Format format, RowType row) {
    TypeInformation<RowData> unused = TypeInformation.of(RowData.class);
    return switch (format) {
      case JSON -> new StrictJson(row, unused);
      case CSV -> new CsvRowDataDeserializationSchema.Builder(row, unused).build();
      case AVRO -> new AvroRowDataDeserializationSchema(row, unused);
    };
  }

  private static DeserializationSchema<RowData> opened(DeserializationSchema<RowData> schema) {
    try {
      schema.open(new NoRuntime());
      return schema;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Parses a value.
   *
   * @throws InvalidRecordException if it is too long, or not exactly one record of the format
   */
  RowData parse(byte[] value) {
    if (value.length == 0 || value.length > MAX_BYTES) {
      throw new InvalidRecordException(
          "a value of %d bytes: 1 to %d are possible".formatted(value.length, MAX_BYTES));
    }
    switch (format) {
      case JSON -> WholeRecord.checkObject(value);
      case CSV -> WholeRecord.checkRow(value);
      case AVRO -> bounds.check(value);
    }
    return Optional.ofNullable(deserialized(value))
        .orElseThrow(() -> new InvalidRecordException("the value has no fields"));
  }

  @Nullable
  private RowData deserialized(byte[] value) {
    try {
      return schema.deserialize(value);
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // Formats wrap all that they catch. What the JVM cannot bear is no mistake of the record.
      Optional<OutOfMemoryError> fatal = ExceptionUtils.findThrowable(e, OutOfMemoryError.class);
      if (fatal.isPresent()) {
        throw fatal.get();
      }
      throw new InvalidRecordException("no %s record: %s".formatted(format, reason(e)));
    }
  }

  /** Returns what is at the bottom of an exception: the formats put the whole record on top. */
  private static String reason(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return Printable.shortened(message, SHOWN_LETTERS);
  }

  /** JSON without fields that are there twice: Flink would leave out other fields for them. */
  private static final class StrictJson extends JsonParserRowDataDeserializationSchema {

    @Serial private static final long serialVersionUID = 1L;

    StrictJson(RowType row, TypeInformation<RowData> type) {
      super(row, type, false, false, TimestampFormat.ISO_8601);
    }

    @Override
    public void open(InitializationContext context) throws Exception {
      super.open(context);
      objectMapper.configure(JsonParser.Feature.STRICT_DUPLICATE_DETECTION, true);
    }
  }

  /** A decoder runs outside of Flink, too. */
  private static final class NoRuntime implements DeserializationSchema.InitializationContext {

    @Override
    public MetricGroup getMetricGroup() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      return SimpleUserCodeClassLoader.create(RecordParser.class.getClassLoader());
    }
  }
}
