package dev.braid.chaos.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A JSON object of which every field must be asked for, and is checked when it is. */
final class Fields {

  private static final int SHOWN_LETTERS = 40;

  private final String name;
  private final JsonNode object;
  private final Set<String> asked = new HashSet<>();

  private Fields(String name, JsonNode object) {
    this.name = name;
    this.object = object;
  }

  static Fields of(String name, JsonNode node) throws InvalidEventException {
    if (!node.isObject()) {
      throw new InvalidEventException(name + ": a JSON object is needed");
    }
    return new Fields(name, node);
  }

  /** Complains of a field that nobody has asked for. */
  void end() throws InvalidEventException {
    for (var fields = object.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!asked.contains(field)) {
        throw new InvalidEventException(name + ": unknown field \"" + shorten(field) + "\"");
      }
    }
  }

  boolean has(String field) {
    return object.has(field);
  }

  Optional<JsonNode> any(String field) {
    asked.add(field);
    return Optional.ofNullable(object.get(field));
  }

  Optional<Fields> object(String field) throws InvalidEventException {
    Optional<JsonNode> node = any(field);
    return node.isPresent() ? Optional.of(of(field, node.get())) : Optional.empty();
  }

  String text(String field) throws InvalidEventException {
    return optionalText(field).orElseThrow(() -> missing(field));
  }

  Optional<String> optionalText(String field) throws InvalidEventException {
    Optional<JsonNode> node = any(field);
    if (node.isPresent() && !node.get().isTextual()) {
      throw new InvalidEventException(field + ": a text is needed");
    }
    return node.map(JsonNode::textValue);
  }

  Optional<Boolean> flag(String field) throws InvalidEventException {
    Optional<JsonNode> node = any(field);
    if (node.isPresent() && !node.get().isBoolean()) {
      throw new InvalidEventException(field + ": true or false is needed");
    }
    return node.map(JsonNode::booleanValue);
  }

  long whole(String field, long least, long most) throws InvalidEventException {
    OptionalLong value = optionalWhole(field, least, most);
    if (value.isEmpty()) {
      throw missing(field);
    }
    return value.getAsLong();
  }

  OptionalLong optionalWhole(String field, long least, long most) throws InvalidEventException {
    Optional<JsonNode> node = any(field);
    return node.isPresent()
        ? OptionalLong.of(whole(field, node.get(), least, most))
        : OptionalLong.empty();
  }

  static long whole(String field, JsonNode node, long least, long most)
      throws InvalidEventException {
    if (!node.canConvertToExactIntegral() || !node.canConvertToLong()) {
      throw new InvalidEventException(field + ": a whole number is needed");
    }
    long value = node.longValue();
    if (value < least || value > most) {
      throw new InvalidEventException(
          field + " " + value + ": a number from " + least + " to " + most + " is needed");
    }
    return value;
  }

  /** A number above the lower bound, up to the upper bound. */
  double number(String field, double above, double most) throws InvalidEventException {
    JsonNode node = any(field).orElseThrow(() -> missing(field));
    if (!node.isNumber()) {
      throw new InvalidEventException(field + ": a number is needed");
    }
    double value = node.doubleValue();
    if (!(value > above && value <= most)) {
      throw new InvalidEventException(
          field
              + " "
              + shown(value)
              + ": more than "
              + shown(above)
              + " and at most "
              + shown(most)
              + " is needed");
    }
    return value;
  }

  /** A whole number without a point, as it was most likely typed. */
  private static String shown(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private InvalidEventException missing(String field) {
    return new InvalidEventException(name + ": the field \"" + field + "\" is missing");
  }

  /** Returns a text of others, cut to the length of a line. */
  static String shorten(String text) {
    boolean isLong = text.codePointCount(0, text.length()) > SHOWN_LETTERS;
    return isLong ? text.substring(0, text.offsetByCodePoints(0, SHOWN_LETTERS)) + "…" : text;
  }
}
