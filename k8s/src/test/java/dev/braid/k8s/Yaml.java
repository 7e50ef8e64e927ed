package dev.braid.k8s;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** YAML files in which no key may occur twice. */
final class Yaml {

  static final ObjectMapper MAPPER =
      new ObjectMapper(
          YAMLFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build());

  private Yaml() {}

  /** Returns all documents of a file. */
  static List<JsonNode> documents(Path file) {
    try {
      return documents(Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Parses documents one by one; an iterator of values would take the elements of a list for
   * documents.
   */
  private static List<JsonNode> documents(String text) throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    try (JsonParser parser = MAPPER.createParser(text)) {
      while (parser.nextToken() != null) {
        documents.add(MAPPER.readTree(parser));
      }
    }
    return documents;
  }

  /** Returns the only document of a file, which must be an object. */
  static ObjectNode object(Path file) {
    List<JsonNode> documents = documents(file);
    if (documents.size() == 1 && documents.get(0) instanceof ObjectNode object) {
      return object;
    }
    throw new IllegalArgumentException(file + ": one object is needed");
  }
}
