package dev.braid.job.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;

/** Records as one line of JSON, and back. */
public final class Json {

  private static final ObjectMapper MAPPER = new ObjectMapper().registerModule(new Jdk8Module());

  private Json() {}

  /** A value as a line. */
  public static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not fit for JSON: " + value, e);
    }
  }

  /** A line as a value. */
  public static <T> T read(String json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + json, e);
    }
  }
}
