package dev.braid.connectors.record;

import dev.braid.connectors.file.Texts;
import dev.braid.connectors.random.ByteHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;

/**
 * Decodes the records of a topic as samples, one by one. Belongs to one thread.
 *
 * <p>A number that is null, missing or an empty text is what its column is filled with. If nothing
 * fills it, the record is left out or invalid, as the form says. A text that is null or missing
 * counts as the empty text. A text that is none of its column's categories gives 0 for all of them.
 * A label has to be there: a class as one of the form's class names, where 1.0 counts as 1. Blanks
 * around a text are no part of it.
 */
public final class RecordDecoder {

  /** Outcome of a valid record. */
  public enum Outcome {
    /** A sample to train on. */
    TRAIN,

    /** A sample that is only scored: the hash of its key says so. */
    HELD_OUT,

    /** No sample: a value is missing, and such records are left out; or a deletion of a key. */
    LEFT_OUT
  }

  /** Number of possible hashes. */
  private static final double HASHES = 0x1p32;

  private static final int SALT = 0;

  private final RecordForm form;
  private final RecordLayout layout;
  private final RecordParser parser;
  private final List<FieldReader> features = new ArrayList<>();
  private final List<FieldReader> values = new ArrayList<>();
  private final Map<String, Integer> classes;
  private final boolean hasTypedKey;

  /** Creates a decoder of records that have a form. */
  public RecordDecoder(RecordForm form) {
    this.form = form;
    this.layout = form.layout();
    this.parser = new RecordParser(form.format(), layout.rowType(), layout.longestArray());
    this.hasTypedKey = layout.hasTypedKey();
    this.classes = FieldReader.numbered(form.classNames());
    layout.features().forEach(it -> features.add(FieldReader.of(layout, it, form.leavesOut())));
    if (form.regression()) {
      layout.labels().forEach(it -> values.add(FieldReader.of(layout, it, false)));
    }
  }

  /**
   * Decodes a record. The numbers that it writes mean something only if the record is a sample.
   *
   * @param key the record's key, if it has one
   * @param value the record's value; null if it deletes the key
   * @param features gets the numbers of the sample, {@code shape().features()} from the offset on
   * @param offset where the sample's numbers begin
   * @param targets gets the class of the sample, or its values as they are scaled
   * @param targetOffset where the class or the values are
   * @throws InvalidRecordException if the record is no sample
   */
  public Outcome decode(
      @Nullable byte[] key,
      @Nullable byte[] value,
      float[] features,
      int offset,
      float[] targets,
      int targetOffset) {
    if (value == null) {
      return Outcome.LEFT_OUT;
    }
    RowData row = parser.parse(value);
    boolean isWhole = read(this.features, row, features, offset);
    if (form.regression()) {
      read(values, row, targets, targetOffset);
    } else {
      targets[targetOffset] = classOf(row);
    }
    if (!isWhole) {
      return Outcome.LEFT_OUT;
    }
    return isHeldOut(key, value, row) ? Outcome.HELD_OUT : Outcome.TRAIN;
  }

  private static boolean read(List<FieldReader> fields, RowData row, float[] into, int offset) {
    boolean isWhole = true;
    int at = offset;
    for (FieldReader field : fields) {
      isWhole &= field.read(row, into, at);
      at += field.width();
    }
    return isWhole;
  }

  private int classOf(RowData row) {
    RecordLayout.Field field = layout.labels().get(0);
    String label = FieldReader.text(row, field.slot());
    Integer found = classes.get(label);
    if (found == null) {
      found = classes.get(withoutZeros(label));
    }
    if (found == null) {
      throw new InvalidRecordException(
          field.name()
              + (label.isEmpty() ? ": there is no label" : ": label " + Texts.quote(label))
              + ": the labels are "
              + Texts.list(form.classNames()));
    }
    return found;
  }

  /** Returns a whole number without zeros behind its point; any other text as it is. */
  private static String withoutZeros(String text) {
    int point = text.indexOf('.');
    int sign = text.startsWith("-") ? 1 : 0;
    boolean isWhole =
        point > sign
            && text.chars().limit(point).skip(sign).allMatch(RecordDecoder::isDigit)
            && text.chars().skip(point + 1L).allMatch(letter -> letter == '0');
    return isWhole ? text.substring(0, point) : text;
  }

  private static boolean isDigit(int letter) {
    return letter >= '0' && letter <= '9';
  }

  private boolean isHeldOut(@Nullable byte[] key, byte[] value, RowData row) {
    if (form.holdout() == 0) {
      return false;
    }
    byte[] hashed = layout.hasKey() ? keyOf(row) : key == null ? value : key;
    return Integer.toUnsignedLong(ByteHash.of(hashed, SALT)) < form.holdout() * HASHES;
  }

  private byte[] keyOf(RowData row) {
    String text =
        row.isNullAt(layout.keySlot())
            ? ""
            : hasTypedKey
                ? Float.toString(row.getFloat(layout.keySlot()))
                : FieldReader.text(row, layout.keySlot());
    if (text.isEmpty()) {
      throw new InvalidRecordException(form.key() + ": there is no key");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
