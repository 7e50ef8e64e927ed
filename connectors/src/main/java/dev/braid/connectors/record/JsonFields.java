package dev.braid.connectors.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.record.RecordLayout.Slot;
import dev.braid.connectors.text.TableColumn;
import dev.braid.text.Printable;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads records that are one JSON object in UTF-8. Fields without a slot are ignored, but no field
 * may occur twice. Booleans, objects and arrays are texts if the field is a text.
 */
final class JsonFields implements RecordFields {

  /** Highest depth of nested objects and arrays, each of which takes stack in a parser. */
  private static final int MAX_DEPTH = 100;

  private static final int SHOWN_LETTERS = 160;
  private static final int MISSING = -1;

  /** A column for parsing numbers that are in quotes. */
  private static final TableColumn PLAIN = TableColumn.numbers(0, "");

  private final ObjectMapper mapper =
      new ObjectMapper(
          JsonFactory.builder()
              .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
              .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
              .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
              .disable(JsonFactory.Feature.CHARSET_DETECTION)
              .streamReadConstraints(
                  StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
              .build());

  private final List<Slot> slots;
  private final Map<String, Integer> slotOfName = new HashMap<>();

  /** Texts of fields that are texts, and of numbers that are not in {@link #numbers}. */
  private final String[] texts;

  /** For each slot, its number or the numbers of its array. */
  private final float[][] numbers;

  /** For each slot, its count of numbers; {@link #MISSING} for none. */
  private final int[] lengths;

  JsonFields(List<Slot> slots) {
    this.slots = slots;
    this.texts = new String[slots.size()];
    this.lengths = new int[slots.size()];
    this.numbers = new float[slots.size()][];
    for (int i = 0; i < numbers.length; i++) {
      slotOfName.put(slots.get(i).name(), i);
      numbers[i] = new float[slots.get(i).width()];
    }
  }

  // ---- values ----------------------------------------------------------------------------------

  @Override
  public void read(byte[] value) {
    Arrays.fill(texts, null);
    Arrays.fill(lengths, MISSING);
    int start = RecordFields.start(value);
    boolean isOtherEncoding =
        start + 1 < value.length && (value[start] == 0 || value[start + 1] == 0);
    if (isOtherEncoding) {
      throw new InvalidRecordException("has a NUL byte: the value must be JSON in UTF-8");
    }
    try (JsonParser json = mapper.createParser(value, start, value.length - start)) {
      readObject(json);
    } catch (JsonProcessingException e) {
      throw mistake(e.getOriginalMessage());
    } catch (IOException e) {
      throw mistake(e.getMessage());
    }
  }

  private static InvalidRecordException mistake(String reason) {
    String line = String.valueOf(reason).lines().findFirst().orElse("");
    return new InvalidRecordException(
        "not a JSON record: " + Printable.shortened(line, SHOWN_LETTERS));
  }

  private void readObject(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new InvalidRecordException("the value is not a JSON object");
    }
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      JsonToken token = json.nextToken();
      Integer slot = slotOfName.get(name);
      if (slot == null) {
        json.skipChildren();
      } else if (token != JsonToken.VALUE_NULL) {
        readField(json, token, slot);
      }
    }
    if (json.nextToken() != null) {
      throw new InvalidRecordException("has more than one record; each value must be one record");
    }
  }

  private void readField(JsonParser json, JsonToken token, int slot) throws IOException {
    switch (slots.get(slot).kind()) {
      case NUMBERS -> readArray(json, token, slot);
      case NUMBER -> {
        double number = token.isNumeric() ? json.getDoubleValue() : Double.NaN;
        if (Math.abs(number) <= Float.MAX_VALUE) {
          numbers[slot][0] = signed((float) number, json);
          lengths[slot] = 1;
        } else {
          texts[slot] = text(json, token);
        }
      }
      case TEXT -> texts[slot] = text(json, token);
    }
  }

  private static String text(JsonParser json, JsonToken token) throws IOException {
    String text = token.isStructStart() ? json.readValueAsTree().toString() : json.getText();
    return text.strip();
  }

  private void readArray(JsonParser json, JsonToken start, int slot) throws IOException {
    if (start != JsonToken.START_ARRAY) {
      throw mistake(slots.get(slot).name() + ": must be an array");
    }
    float[] array = numbers[slot];
    int length = 0;
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      float number = element(json, token, slot, length);
      if (length < array.length) {
        array[length] = number;
      }
      length++;
    }
    lengths[slot] = length;
  }

  private float element(JsonParser json, JsonToken token, int slot, int index) throws IOException {
    if (token.isNumeric()) {
      return signed(json.getFloatValue(), json);
    }
    if (token == JsonToken.VALUE_NULL) {
      return NONE;
    }
    float number =
        token == JsonToken.VALUE_STRING ? (float) PLAIN.parsed(json.getText().strip()) : Float.NaN;
    if (Float.isNaN(number)) {
      throw mistake(
          "%s[%d]: %s is not a finite number that fits"
              .formatted(slots.get(slot).name(), index, Texts.quote(json.getText())));
    }
    return number;
  }

  /** Returns a number with the sign of its text, because a whole number has no minus zero. */
  private static float signed(float number, JsonParser json) throws IOException {
    return number == 0 && json.getTextCharacters()[json.getTextOffset()] == '-' ? -0f : number;
  }

  // ---- fields ----------------------------------------------------------------------------------

  @Override
  public boolean isNull(int slot) {
    return texts[slot] == null && lengths[slot] == MISSING;
  }

  @Override
  public String text(int slot) {
    return texts[slot] == null ? "" : texts[slot];
  }

  @Override
  public float number(int slot) {
    return lengths[slot] == MISSING ? Float.NaN : numbers[slot][0];
  }

  @Override
  public int numbers(int slot, float[] into, int at, int most) {
    System.arraycopy(numbers[slot], 0, into, at, Math.min(lengths[slot], most));
    return lengths[slot];
  }
}
