package dev.braid.job.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Accessors for the required fields of an answer, which may have others. */
final class Answer {

  /** Maximum number of elements of a list, more than any real cluster has. */
  private static final int MOST_ELEMENTS = 10_000;

  private static final int LONGEST_TEXT = 100_000;

  private Answer() {}

  /** Returns a whole number from 0 to the largest int. */
  static int count(JsonNode in, String name) throws RestException {
    long value = size(in, name);
    if (value > Integer.MAX_VALUE) {
      throw wrong(in, name);
    }
    return (int) value;
  }

  /** Returns a whole number from 0 to the largest long. */
  static long size(JsonNode in, String name) throws RestException {
    JsonNode value = in.path(name);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw wrong(in, name);
    }
    return value.longValue();
  }

  static String text(JsonNode in, String name) throws RestException {
    return text(in.path(name), in, name);
  }

  static List<String> texts(JsonNode in, String name) throws RestException {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : list(in.path(name))) {
      texts.add(text(element, in, name));
    }
    return texts;
  }

  static JsonNode list(JsonNode list) throws RestException {
    if (!list.isArray() || list.size() > MOST_ELEMENTS) {
      throw RestException.silence("not a list of at most " + MOST_ELEMENTS + " elements", null);
    }
    return list;
  }

  private static String text(JsonNode value, JsonNode in, String name) throws RestException {
    if (!value.isTextual() || value.textValue().length() > LONGEST_TEXT) {
      throw wrong(in, name);
    }
    return value.textValue();
  }

  private static RestException wrong(JsonNode in, String name) {
    String shown = in.path(name).toString();
    String beginning = shown.substring(0, Math.min(shown.length(), 80));
    return RestException.silence("'" + name + "' is " + beginning, null);
  }
}
