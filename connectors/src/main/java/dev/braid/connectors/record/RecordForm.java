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
 * How the records of a topic become samples. It travels with the job.
 *
 * <p>Each column of the schema is a field of the record, with the column's name. Columns that are
 * called {@code x[0]}, {@code x[1]} and so on, one after the other, are the numbers of one field
 * {@code x}, an array.
 *
 * @param format the format of a record's value
 * @param schema the features, and the fields of the label; with a header, as fields have names
 * @param regression whether labels are numbers to predict; otherwise there is one label, a class
 * @param classNames the label of each class, in the order of the classes; none for a regression
 * @param key the field whose hash decides whether a sample is held out; empty for the record's
 *     Kafka key, or its value where it has no key
 * @param weight the field that says how much a sample counts, 0 or more; empty where all count once
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
    /** An object, in UTF-8. Fields that the form does not name are ignored. */
    JSON,

    /**
     * A row without names, with commas between its cells: the features in their order, the labels,
     * the weight, if there is one, and then the key, if it is none of them. Each number of an array
     * has its own cell.
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
   * @throws InvalidDataException if not
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

  /** Whether records without a number are left out. */
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

  /** Returns a digest that differs where samples of the same records would differ. */
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

  /** Adds each with its length, so that no two lists are the same text. */
  private static void put(StringBuilder all, Object... values) {
    for (Object value : values) {
      String text = value.toString();
      all.append(text.length()).append(':').append(text);
    }
  }
}
