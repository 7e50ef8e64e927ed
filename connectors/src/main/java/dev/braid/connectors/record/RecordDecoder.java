package dev.braid.connectors.record;

import dev.braid.connectors.file.Texts;
import dev.braid.connectors.random.ByteHash;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;

/**
 * Decodes the records of a topic as samples, one by one. An instance belongs to one thread.
 *
 * <p>A number that is null, missing or an empty text is replaced by its column's fill. If there is
 * no fill, the record is omitted or invalid, depending on the form. A text that is null or missing
 * counts as the empty text. A text that is not a category of its column gives 0 for all categories.
 * A label and a weight are required; the weight is a number of 0 or more. A class is one of the
 * form's class names, where 1.0 counts as 1. Blanks around a text are ignored.
 */
public final class RecordDecoder implements SampleDecoder {

  private static final int SALT = 0;
  private static final int MAX_BYTES = 16 << 20;

  private final RecordForm form;
  private final RecordLayout layout;
  private final RecordFields fields;
  private final List<FieldReader> features = new ArrayList<>();
  private final List<FieldReader> values = new ArrayList<>();
  private final Optional<FieldReader> weight;
  private final Map<String, Integer> classes;

  /** Creates a decoder of records with a form. */
  public RecordDecoder(RecordForm form) {
    this.form = form;
    this.layout = form.layout();
    this.fields = RecordFields.of(form.format(), layout);
    this.weight = layout.weight().map(it -> FieldReader.of(layout, it, false));
    this.classes = FieldReader.numbered(form.classNames());
    layout.features().forEach(it -> features.add(FieldReader.of(layout, it, form.leavesOut())));
    if (form.regression()) {
      layout.labels().forEach(it -> values.add(FieldReader.of(layout, it, false)));
    }
  }

  @Override
  public Outcome decode(
      @Nullable byte[] key,
      @Nullable byte[] value,
      float[] features,
      int offset,
      float[] targets,
      int targetOffset,
      float[] weights,
      int weightOffset) {
    if (value == null) {
      return Outcome.LEFT_OUT;
    }
    readFields(value);
    boolean isWhole = read(this.features, features, offset);
    if (form.regression()) {
      read(values, targets, targetOffset);
    } else {
      targets[targetOffset] = classOf();
    }
    if (weight.isPresent()) {
      readWeight(weight.get(), weights, weightOffset);
    }
    if (!isWhole) {
      return Outcome.LEFT_OUT;
    }
    return isHeldOut(key, value) ? Outcome.HELD_OUT : Outcome.TRAIN;
  }

  /**
   * Decodes the features of a record, whose label and weight may be missing.
   *
   * @param into receives the numbers of the sample, {@code shape().features()} from {@code offset}
   *     on
   * @throws InvalidRecordException if a feature is missing or of another type, and the form does
   *     not omit such records
   */
  public void features(byte[] value, float[] into, int offset) {
    readFields(value);
    read(this.features, into, offset);
  }

  private void readFields(byte[] value) {
    if (value.length == 0 || value.length > MAX_BYTES) {
      throw new InvalidRecordException(
          "a value of %d bytes: 1 to %d are possible".formatted(value.length, MAX_BYTES));
    }
    fields.read(value);
  }

  private boolean read(List<FieldReader> readers, float[] into, int offset) {
    boolean isWhole = true;
    int at = offset;
    for (FieldReader field : readers) {
      isWhole &= field.read(fields, into, at);
      at += field.width();
    }
    return isWhole;
  }

  private void readWeight(FieldReader field, float[] into, int offset) {
    field.read(fields, into, offset);
    if (into[offset] < 0) {
      throw new InvalidRecordException(
          form.weight() + ": " + into[offset] + ": must be a weight of 0 or more");
    }
  }

  private int classOf() {
    RecordLayout.Field field = layout.labels().get(0);
    String label = fields.text(field.slot());
    Integer found = classes.get(label);
    if (found == null) {
      found = classes.get(withoutZeros(label));
    }
    if (found == null) {
      throw new InvalidRecordException(
          field.name()
              + (label.isEmpty() ? ": has no label" : ": label " + Texts.quote(label))
              + ": the labels are "
              + Texts.list(form.classNames()));
    }
    return found;
  }

  /** Returns a whole number without zeros after its point, and any other text unchanged. */
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

  private boolean isHeldOut(@Nullable byte[] key, byte[] value) {
    if (form.holdout() == 0) {
      return false;
    }
    byte[] hashed = layout.hasKey() ? keyOf() : key == null ? value : key;
    return ByteHash.chooses(hashed, SALT, form.holdout());
  }

  private byte[] keyOf() {
    String text = fields.text(layout.keySlot());
    if (text.isEmpty()) {
      throw new InvalidRecordException(form.key() + ": has no key");
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
