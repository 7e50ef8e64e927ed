package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Pattern;
import org.nd4j.shade.jackson.core.JsonFactory;
import org.nd4j.shade.jackson.core.JsonParser;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.core.JsonStreamContext;
import org.nd4j.shade.jackson.core.JsonToken;

/**
 * Validates a configuration's JSON before Deeplearning4j reads it. Deeplearning4j's reader
 * instantiates any class that the text names, recurses as deep as the text nests, and takes a time
 * that grows with the square of a number's digits.
 *
 * <p>A class is named by the text of a field, or by the first element of an array that represents
 * an object. Texts at both places are compared with a list of packages: those of layers,
 * activations, losses, updaters and their parts. {@link ModelCheck} rejects the classes among them
 * that Braid cannot train.
 */
final class ConfigurationText {

  private static final int MAX_DEPTH = 32;
  private static final int MAX_NUMBER_LENGTH = 64;
  private static final int MAX_TEXT_LENGTH = 1000;

  /** Fields whose text is the name of a class. */
  private static final Set<String> CLASS_FIELDS = Set.of("@class", "type");

  /** Fields that are lists of parameter names: the only arrays that may contain texts. */
  private static final Set<String> NAME_LISTS = Set.of("variables", "params");

  /** Deeplearning4j's packages of configuration classes. */
  private static final Set<String> PACKAGES =
      Set.of(
          "org.deeplearning4j.nn.conf.constraint",
          "org.deeplearning4j.nn.conf.distribution",
          "org.deeplearning4j.nn.conf.dropout",
          "org.deeplearning4j.nn.conf.layers",
          "org.deeplearning4j.nn.conf.layers.recurrent",
          "org.deeplearning4j.nn.conf.preprocessor",
          "org.deeplearning4j.nn.conf.weightnoise",
          "org.deeplearning4j.nn.weights",
          "org.nd4j.linalg.activations.impl",
          "org.nd4j.linalg.learning.config",
          "org.nd4j.linalg.learning.regularization",
          "org.nd4j.linalg.lossfunctions.impl",
          "org.nd4j.linalg.schedule");

  private static final Pattern SIMPLE_NAME = Pattern.compile("[A-Z][A-Za-z0-9]*");

  private static final JsonFactory JSON = new JsonFactory();

  private final String model;
  private final JsonParser parser;
  private int depth;

  private ConfigurationText(String model, JsonParser parser) {
    this.model = model;
    this.parser = parser;
  }

  /**
   * Checks a configuration.
   *
   * @param model the user's name for the model, for messages
   * @throws InvalidModelException if the text is not JSON, exceeds a limit, or names a class of
   *     another package
   */
  static void check(String model, String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      ConfigurationText text = new ConfigurationText(model, parser);
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        text.check(token);
      }
    } catch (JsonProcessingException e) {
      throw new InvalidModelException(
          "model %s: configuration: not JSON: line %d, column %d"
              .formatted(model, e.getLocation().getLineNr(), e.getLocation().getColumnNr()),
          e);
    } catch (IOException e) {
      throw new InvalidModelException(
          "model " + model + ": configuration: " + InvalidModelException.reason(e), e);
    }
  }

  private void check(JsonToken token) throws IOException {
    if (token.isStructStart()) {
      limit(++depth, MAX_DEPTH, "levels of brackets");
    } else if (token.isStructEnd()) {
      depth--;
    } else if (token.isNumeric()) {
      limit(parser.getTextLength(), MAX_NUMBER_LENGTH, "digits in a number");
    } else {
      limit(parser.getTextLength(), MAX_TEXT_LENGTH, "letters in a text");
    }
    JsonStreamContext place = parser.getParsingContext();
    if (token == JsonToken.VALUE_STRING && place.inArray()) {
      if (!NAME_LISTS.contains(holder(place))) {
        checkClass(parser.getText());
      }
    } else if (token != JsonToken.FIELD_NAME
        && !token.isStructEnd()
        && CLASS_FIELDS.contains(fieldOf(token, place))) {
      checkClass(parser.getText());
    }
  }

  /** Returns the name of the field whose value is this token, or begins with this token. */
  private static String fieldOf(JsonToken token, JsonStreamContext place) {
    if (token.isStructStart()) {
      return holder(place);
    }
    return place.inObject() ? place.getCurrentName() : "";
  }

  /** Returns the name of the field whose value is this object or array. */
  private static String holder(JsonStreamContext place) {
    JsonStreamContext parent = place.getParent();
    return parent != null && parent.inObject() ? parent.getCurrentName() : "";
  }

  private void checkClass(String name) {
    int dot = name.lastIndexOf('.');
    if (dot < 0
        || !PACKAGES.contains(name.substring(0, dot))
        || !SIMPLE_NAME.matcher(name.substring(dot + 1)).matches()) {
      throw new InvalidModelException(
          "model "
              + model
              + ": configuration: class "
              + InvalidModelException.shorten(name)
              + ": only Deeplearning4j's own layers, activations, losses and updaters are "
              + "possible");
    }
  }

  private void limit(int count, int most, String what) {
    if (count > most) {
      throw new InvalidModelException(
          "model " + model + ": configuration: more than " + most + " " + what);
    }
  }
}
