package dev.braid.chaos.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A JSON object whose fields must all be read, and are checked when they are read. */
final class Fields {

  private static final int SHOWN_LETTERS = 40;
  private static final int DEPTH = 5;
  private static final int NUMBER_LENGTH = 40;

  private static final ObjectReader JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH)
                          .maxNumberLength(NUMBER_LENGTH)
                          .maxDocumentLength(4 * Limits.EVENT_BYTES)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  private final String name;
  private final JsonNode object;
  private final Set<String> asked = new HashSet<>();

  private Fields(String name, JsonNode object) {
    this.name = name;
    this.object = object;
  }

  /**
   * Reads an object.
   *
   * @throws InvalidEventException if the text is not an object
   */
  static Fields read(String name, String json) throws InvalidEventException {
    try {
      return of(name, JSON.readTree(json));
    } catch (MismatchedInputException e) {
      throw new InvalidEventException("not JSON: has text after the object", e);
    } catch (JsonProcessingException e) {
      throw new InvalidEventException(
          "not JSON: " + e.getOriginalMessage().lines().findFirst().orElse(""), e);
    }
  }

  private static Fields of(String name, JsonNode node) throws InvalidEventException {
    if (!node.isObject()) {
      throw new InvalidEventException(name + ": must be a JSON object");
    }
    return new Fields(name, node);
  }

  /** Fails if a field has not been read. */
  void end() throws InvalidEventException {
    for (var fields = object.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!asked.contains(field)) {
        throw new InvalidEventException(name + ": unknown field \"" + shorten(field) + "\"");
      }
    }
  }

  private Optional<JsonNode> any(String field) {
    asked.add(field);
    return Optional.ofNullable(object.get(field));
  }

  String text(String field) throws InvalidEventException {
    return optionalText(field).orElseThrow(() -> missing(field));
  }

  Optional<String> optionalText(String field) throws InvalidEventException {
    Optional<JsonNode> node = any(field);
    if (node.isPresent() && !node.get().isTextual()) {
      throw new InvalidEventException(field + ": must be a string");
    }
    return node.map(JsonNode::textValue);
  }

  /** Returns a link, written as its two ranks: {@code [3,1]}. */
  Optional<Link> optionalLink(String field) throws InvalidEventException {
    Optional<JsonNode> ends = any(field);
    if (ends.isEmpty()) {
      return Optional.empty();
    }
    if (!ends.get().isArray() || ends.get().size() != 2) {
      throw new InvalidEventException(field + ": must be two ranks, such as [3,1]");
    }
    int from = (int) whole("rank", ends.get().get(0), 0, Limits.RANKS - 1);
    int to = (int) whole("rank", ends.get().get(1), 0, Limits.RANKS - 1);
    if (from == to) {
      throw new InvalidEventException(field + ": rank " + from + " has no link to itself");
    }
    return Optional.of(new Link(from, to));
  }

  long whole(String field, long least, long most) throws InvalidEventException {
    return whole(field, any(field).orElseThrow(() -> missing(field)), least, most);
  }

  private static long whole(String field, JsonNode node, long least, long most)
      throws InvalidEventException {
    if (!node.canConvertToExactIntegral() || !node.canConvertToLong()) {
      throw new InvalidEventException(field + ": must be a whole number");
    }
    long value = node.longValue();
    if (value < least || value > most) {
      throw new InvalidEventException(
          field + " " + value + ": must be from " + least + " to " + most);
    }
    return value;
  }

  private InvalidEventException missing(String field) {
    return new InvalidEventException(name + ": the field \"" + field + "\" is missing");
  }

  /** Returns a text from outside, shortened to a part of a line. */
  static String shorten(String text) {
    boolean isLong = text.codePointCount(0, text.length()) > SHOWN_LETTERS;
    return isLong ? text.substring(0, text.offsetByCodePoints(0, SHOWN_LETTERS)) + "…" : text;
  }
}
