package dev.braid.connectors.record;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import dev.braid.learner.Shape;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;

/**
 * The conversion of a topic's records to samples. It is part of the job.
 *
 * <p>Each column of the schema is a field of the record, with the column's name. Consecutive
 * columns named {@code x[0]}, {@code x[1]} and so on are the numbers of one field {@code x}, an
 * array.
 *
 * @param format the format of a record's value
 * @param schema the features, and the fields of the label; with a header, because fields have names
 * @param regression whether labels are numbers to predict; otherwise there is one label, a class
 * @param classNames the label of each class, in the order of the classes; empty for a regression
 * @param key the field whose hash decides whether a sample is held out; empty for the record's
 *     Kafka key, or for its value if it has no key
 * @param weight the field with the sample's weight, 0 or more; empty if all weights are 1
 * @param holdout the share of the samples that is held out, {@code 0 <= holdout < 1}
 */
public record RecordForm(
    Format format,
    TableSchema schema,
    boolean regression,
    List<String> classNames,
    String key,
    String weight,
    double holdout)
    implements SampleForm {

  private static final int MAX_CLASSES = 1 << 20;

  /** Format of a record's value. */
  public enum Format {
    /** A JSON object, in UTF-8. Fields that the form does not name are ignored. */
    JSON,

    /**
     * A row without names, with commas between its cells: the features in their order, the labels,
     * the weight, if there is one, and then the key, if it is none of these fields. Each number of
     * an array has its own cell.
     */
    CSV,

    /**
     * A record in Avro's binary encoding, without a header. Its fields are those of a row of {@link
     * #CSV}, but an array is one field. The type of each is a union of null and a type: float for a
     * number, string for a text, a date, a class and a key, and for an array an array of a union of
     * null and float. A Flink table with such columns and Avro as its format writes these records.
     */
    AVRO
  }

  /**
   * Checks that records can have such a form.
   *
   * @throws InvalidDataException if they cannot
   */
  public RecordForm {
    classNames = List.copyOf(classNames);
    check(schema.header(), "the fields of a record have names: the schema needs a header");
    check(
        !schema.missing().fills(),
        "missing %s: fail or drop is needed, as a topic has no mean before it is read"
            .formatted(schema.missing().typed()));
    check(
        holdout >= 0 && holdout < 1,
        "holdout %s: 0 or more, and less than 1, is needed".formatted(holdout));
    checkLabels(schema.labels(), regression, classNames);
    new RecordLayout(format, schema, regression, weight, key).check();
  }

  private static void checkLabels(
      List<TableColumn> labels, boolean regression, List<String> classNames) {
    boolean areNumbers = labels.stream().noneMatch(it -> it.isText() || it.isFilled());
    check(areNumbers, "a label has no categories, and nothing fills it");
    if (regression) {
      check(classNames.isEmpty(), "a regression has no classes");
      return;
    }
    check(labels.size() == 1, labels.size() + " labels: classes need one label");
    int classes = classNames.size();
    check(
        classes >= 2 && classes <= MAX_CLASSES,
        "%d classes: 2 to %d are possible".formatted(classes, MAX_CLASSES));
    check(
        new HashSet<>(classNames).size() == classes,
        "classes %s: one is there twice".formatted(Texts.list(classNames)));
    check(
        classNames.stream().noneMatch(String::isBlank),
        "classes %s: one is empty, and a record without a label has no class"
            .formatted(Texts.list(classNames)));
  }

  private static void check(boolean isRight, String mistake) {
    if (!isRight) {
      throw new InvalidDataException(mistake);
    }
  }

  /** Returns the positions and types of the fields. */
  RecordLayout layout() {
    return new RecordLayout(format, schema, regression, weight, key);
  }

  /** Returns whether records without a number are omitted. */
  boolean leavesOut() {
    return schema.missing() == Missing.DROP;
  }

  /** Returns the shape of the samples: flat rows, with classes or values. */
  @Override
  public Shape shape() {
    return regression
        ? new Shape(1, 1, schema.features(), schema.labels().size(), Shape.Kind.VALUES)
        : Shape.rows(schema.features(), classNames.size());
  }

  @Override
  public SampleDecoder decoder() {
    return new RecordDecoder(this);
  }

  @Override
  public boolean isWeighted() {
    return !weight.isEmpty();
  }

  /** Returns a digest that differs if samples of the same records would differ. */
  @Override
  public String fingerprint() {
    StringBuilder all = new StringBuilder();
    put(all, format, regression, schema.missing(), key, weight, holdout, classNames.size());
    classNames.forEach(name -> put(all, name));
    for (List<TableColumn> columns : List.of(schema.labels(), schema.columns())) {
      put(all, columns.size());
      columns.forEach(column -> put(all, column));
    }
    try {
      byte[] text = all.toString().getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
      return "records " + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void put(StringBuilder all, TableColumn column) {
    put(all, column.name(), column.mean(), column.deviation(), column.time(), column.fill());
    put(all, column.buckets(), column.categories().size());
    column.categories().forEach(text -> put(all, text));
  }

  /** Adds each value with its length, so that different lists give different texts. */
  private static void put(StringBuilder all, Object... values) {
    for (Object value : values) {
      String text = value.toString();
      all.append(text.length()).append(':').append(text);
    }
  }
}
