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
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Reads events from JSON, strictly: what is not in {@code chaos-event.schema.json} is refused with
 * a reason. Events come from whoever can write to the topic, so nothing of them is believed, and
 * size, depth and numbers have limits.
 */
public final class EventReader {

  private static final int DEPTH = 5;
  private static final int NUMBER_LENGTH = 40;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:/-]{1,100}");

  private static final ObjectReader JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEPTH)
                          .maxNumberLength(NUMBER_LENGTH)
                          .maxDocumentLength(2 * Limits.EVENT_BYTES)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .reader();

  private EventReader() {}

  /**
   * Reads an event.
   *
   * @param utf8 the event, in at most {@link Limits#EVENT_BYTES}
   * @throws InvalidEventException if it is not one, with the reason
   */
  public static ChaosEvent read(byte[] utf8) throws InvalidEventException {
    if (utf8.length > Limits.EVENT_BYTES) {
      throw new InvalidEventException(
          "an event of " + utf8.length + " bytes: at most " + Limits.EVENT_BYTES + " are allowed");
    }
    return event(tree(text(utf8)));
  }

  /**
   * Reads what {@link EventWriter#writeTaken} wrote.
   *
   * @throws InvalidEventException if it is something else, with the reason
   */
  public static ChaosEvent readTaken(String json) throws InvalidEventException {
    Fields event = Fields.of("event", tree(json));
    Optional<String> origin = event.optionalText("origin");
    ChaosEvent taken = event(event);
    return origin.map(taken::from).orElse(taken);
  }

  /** Reads an event that is part of a larger document. */
  static ChaosEvent event(JsonNode node) throws InvalidEventException {
    return event(Fields.of("event", node));
  }

  private static ChaosEvent event(Fields event) throws InvalidEventException {
    event.whole("version", ChaosEvent.VERSION, ChaosEvent.VERSION);
    Optional<String> id = event.optionalText("id");
    if (id.isPresent() && !ID.matcher(id.get()).matches()) {
      throw new InvalidEventException(
          "id \"" + Fields.shorten(id.get()) + "\": 1 to 100 letters, digits or ._:/- are needed");
    }
    Action action = action(event);
    Target target = target(event, action);
    Start start = start(event);
    OptionalLong forMillis =
        action.ends() ? OptionalLong.empty() : event.optionalWhole("forMillis", 1, Limits.MILLIS);
    event.end();
    return new ChaosEvent(id, Optional.empty(), action, target, start, forMillis);
  }

  static JsonNode tree(String json) throws InvalidEventException {
    try {
      JsonNode tree = JSON.readTree(json);
      if (tree.isMissingNode()) {
        throw new InvalidEventException("an empty event");
      }
      return tree;
    } catch (MismatchedInputException e) {
      throw new InvalidEventException("not JSON: something follows the object", e);
    } catch (JsonProcessingException e) {
      throw new InvalidEventException("not JSON: " + firstLine(e.getOriginalMessage()), e);
    }
  }

  private static String text(byte[] utf8) throws InvalidEventException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new InvalidEventException("not UTF-8", e);
    }
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }

  private static Action action(Fields event) throws InvalidEventException {
    String title = event.text("action");
    return switch (title) {
      case "cut" -> new Action.Cut();
      case "heal" -> new Action.Heal();
      case "delay" ->
          new Action.Delay(
              event.whole("delayMillis", 0, Limits.MILLIS),
              event.optionalWhole("jitterMillis", 0, Limits.MILLIS).orElse(0));
      case "drop" -> new Action.Drop(probability(event));
      case "duplicate" -> new Action.Duplicate(probability(event));
      case "reorder" ->
          new Action.Reorder(probability(event), event.whole("withinMillis", 1, Limits.MILLIS));
      case "corrupt" -> new Action.Corrupt(probability(event));
      case "throttle" ->
          new Action.Throttle(event.whole("bytesPerSecond", 1, Limits.BYTES_PER_SECOND));
      case "straggle" -> new Action.Straggle(event.number("factor", 1, Limits.FACTOR));
      case "isolate" -> new Action.Isolate();
      case "rejoin" -> new Action.Rejoin();
      default ->
          throw new InvalidEventException(
              "action \""
                  + Fields.shorten(title)
                  + "\": one of "
                  + String.join(", ", Title.ALL)
                  + " is needed");
    };
  }

  private static double probability(Fields event) throws InvalidEventException {
    return event.number("probability", 0, 1);
  }

  private static Target target(Fields event, Action action) throws InvalidEventException {
    Fields fields =
        event
            .object("target")
            .orElseThrow(() -> new InvalidEventException("event: the field \"target\" is missing"));
    Target target = target(fields, action.concernsRanks());
    fields.end();
    return target;
  }

  private static Target target(Fields fields, boolean ofRanks) throws InvalidEventException {
    if (fields.has("link") && !ofRanks) {
      return new Target.OfLink(
          link(fields.any("link").orElseThrow()), fields.flag("oneWay").orElse(false));
    }
    if (fields.has("rank")) {
      return new Target.OfRank((int) fields.whole("rank", 0, Limits.RANKS - 1));
    }
    if (fields.has("level")) {
      return new Target.OfLevel((int) fields.whole("level", ofRanks ? 0 : 1, Limits.LEVEL));
    }
    if (fields.has("random")) {
      return drawn(fields.object("random").orElseThrow(), ofRanks);
    }
    throw new InvalidEventException(
        ofRanks
            ? "target: a rank, a level or random is needed"
            : "target: a link, a rank, a level or random is needed");
  }

  static Link link(JsonNode ends) throws InvalidEventException {
    if (!ends.isArray() || ends.size() != 2) {
      throw new InvalidEventException("link: two ranks are needed, as in [3, 1]");
    }
    int from = (int) Fields.whole("rank", ends.get(0), 0, Limits.RANKS - 1);
    int to = (int) Fields.whole("rank", ends.get(1), 0, Limits.RANKS - 1);
    if (from == to) {
      throw new InvalidEventException("link: rank " + from + " has no link to itself");
    }
    return new Link(from, to);
  }

  private static Target drawn(Fields fields, boolean ofRanks) throws InvalidEventException {
    long seed = fields.whole("seed", -Limits.WHOLE, Limits.WHOLE);
    int count = (int) fields.optionalWhole("count", 1, Limits.COUNT).orElse(1);
    Optional<Target.Among> among = Optional.empty();
    if (!ofRanks) {
      Optional<String> name = fields.optionalText("among");
      among = name.isPresent() ? Optional.of(among(name.get())) : Optional.empty();
    }
    fields.end();
    return new Target.Drawn(seed, count, among);
  }

  private static Target.Among among(String name) throws InvalidEventException {
    return switch (name) {
      case "tree" -> Target.Among.TREE;
      case "all" -> Target.Among.ALL;
      default ->
          throw new InvalidEventException(
              "among \"" + Fields.shorten(name) + "\": tree or all is needed");
    };
  }

  private static Start start(Fields event) throws InvalidEventException {
    Optional<Fields> given = event.object("start");
    if (given.isEmpty()) {
      return new Start.Now();
    }
    Fields fields = given.get();
    if (!fields.has("round") && !fields.has("afterMillis")) {
      throw new InvalidEventException("start: round or afterMillis is needed");
    }
    Start start =
        fields.has("round")
            ? new Start.AtRound(fields.whole("round", 0, Limits.WHOLE))
            : new Start.After(fields.whole("afterMillis", 0, Limits.MILLIS));
    fields.end();
    return start;
  }
}
