package dev.braid.run.result;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.braid.connectors.file.Texts;
import dev.braid.text.Printable;
import java.util.stream.Collectors;

/** Writes records as one line of JSON, and reads them. */
public final class Json {

  private static final ObjectMapper MAPPER = new ObjectMapper().registerModule(new Jdk8Module());

  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          // Also fails if a property is missing, except optional values and those marked IfKnown.
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Message for a text that is not a JSON object. */
  public static final String NO_OBJECT = "must be an object";

  private Json() {}

  /** Returns a value as one line, in which all control characters are escaped. */
  public static String write(Object value) {
    try {
      // Jackson escapes only the control characters of ASCII.
      return Printable.of(MAPPER.writeValueAsString(value));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not possible in JSON: " + value, e);
    }
  }

  /** Reads a value from a line. */
  public static <T> T read(String json, Class<T> type) {
    return read(MAPPER, json, type);
  }

  /** Reads a value from a line, and fails if a part of it is missing. */
  public static <T> T readStrictly(String json, Class<T> type) {
    return read(STRICT, json, type);
  }

  private static <T> T read(ObjectMapper mapper, String json, Class<T> type) {
    String mistake = "not a " + type.getSimpleName() + ": " + json;
    try {
      T value = mapper.readValue(json, type);
      if (value == null) {
        throw new IllegalArgumentException(mistake);
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(mistake, e);
    }
  }

  /** Returns which part of a file is wrong; the library's messages would name Java classes. */
  public static String mistake(JsonProcessingException e) {
    if (e.getCause() instanceof JsonParseException inner) {
      return mistake(inner);
    }
    if (!(e instanceof JsonMappingException mapping)) {
      JsonLocation place = e.getLocation();
      return "no JSON: line %d, column %d".formatted(place.getLineNr(), place.getColumnNr());
    }
    String field =
        mapping.getPath().stream()
            .map(it -> it.getFieldName() == null ? "[" + it.getIndex() + "]" : it.getFieldName())
            .collect(Collectors.joining("."))
            .replace(".[", "[");
    if (e instanceof UnrecognizedPropertyException) {
      return "unknown field " + Texts.quote(field);
    }
    return field.isEmpty() ? NO_OBJECT : "field " + field + ": missing, or of another type";
  }
}
