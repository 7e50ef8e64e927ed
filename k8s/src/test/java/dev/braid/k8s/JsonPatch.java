package dev.braid.k8s;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * Both ways in which kustomize changes a custom resource: RFC 7386, in which lists are replaced as
 * a whole, and RFC 6902, of which the operations here are those that the manifests use.
 */
final class JsonPatch {

  private JsonPatch() {}

  /** Lays an object over another one. */
  static void merge(ObjectNode target, ObjectNode patch) {
    for (Map.Entry<String, JsonNode> field : patch.properties()) {
      if (field.getKey().startsWith("$")) {
        throw new IllegalArgumentException(field.getKey() + ": no directive is known here");
      }
      JsonNode value = field.getValue();
      if (value.isNull()) {
        target.remove(field.getKey());
      } else if (value instanceof ObjectNode inner
          && target.get(field.getKey()) instanceof ObjectNode below) {
        merge(below, inner);
      } else {
        target.set(field.getKey(), value.deepCopy());
      }
    }
  }

  /** Applies operations, one after the other. */
  static void apply(ObjectNode target, ArrayNode operations) {
    operations.forEach(operation -> apply(target, (ObjectNode) operation));
  }

  private static void apply(ObjectNode target, ObjectNode operation) {
    JsonPointer path = JsonPointer.compile(operation.path("path").asText());
    JsonNode parent = target.at(path.head());
    String last = path.last().getMatchingProperty();
    JsonNode value = operation.path("value").deepCopy();
    switch (operation.path("op").asText()) {
      case "test" -> require(target.at(path).equals(value), operation);
      case "add" -> add(parent, last, value, operation);
      case "replace" -> {
        require(!target.at(path).isMissingNode(), operation);
        set(parent, last, value);
      }
      case "remove" -> {
        require(!target.at(path).isMissingNode(), operation);
        remove(parent, last);
      }
      default -> throw new IllegalArgumentException("unknown operation: " + operation);
    }
  }

  private static void add(JsonNode parent, String last, JsonNode value, ObjectNode operation) {
    if (parent instanceof ArrayNode list) {
      int index = last.equals("-") ? list.size() : Integer.parseInt(last);
      require(index <= list.size(), operation);
      list.insert(index, value);
    } else {
      require(parent.isObject(), operation);
      ((ObjectNode) parent).set(last, value);
    }
  }

  private static void set(JsonNode parent, String last, JsonNode value) {
    if (parent instanceof ArrayNode list) {
      list.set(Integer.parseInt(last), value);
    } else {
      ((ObjectNode) parent).set(last, value);
    }
  }

  private static void remove(JsonNode parent, String last) {
    if (parent instanceof ArrayNode list) {
      list.remove(Integer.parseInt(last));
    } else {
      ((ObjectNode) parent).remove(last);
    }
  }

  private static void require(boolean isMet, ObjectNode operation) {
    if (!isMet) {
      throw new IllegalArgumentException("does not fit: " + operation);
    }
  }
}
