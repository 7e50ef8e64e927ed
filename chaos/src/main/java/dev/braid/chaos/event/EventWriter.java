package dev.braid.chaos.event;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Writes events as JSON, one line each, as {@link EventReader} reads them. */
public final class EventWriter {

  private EventWriter() {}

  /** An event as a line, without its end. */
  public static String write(ChaosEvent event) {
    return json(event).toString();
  }

  /** An event with its place in the stream, as {@link EventReader#readTaken} reads it. */
  public static String writeTaken(ChaosEvent event) {
    ObjectNode json = json(event);
    event.origin().ifPresent(origin -> json.put("origin", origin));
    return json.toString();
  }

  static ObjectNode json(ChaosEvent event) {
    ObjectNode json = object();
    json.put("version", ChaosEvent.VERSION);
    event.id().ifPresent(id -> json.put("id", id));
    json.put("action", event.action().title());
    putParameters(event.action(), json);
    putTarget(event.target(), json.putObject("target"));
    if (event.start() instanceof Start.AtRound at) {
      json.putObject("start").put("round", at.round());
    } else if (event.start() instanceof Start.After after) {
      json.putObject("start").put("afterMillis", after.millis());
    }
    event.forMillis().ifPresent(millis -> json.put("forMillis", millis));
    return json;
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static void putParameters(Action action, ObjectNode json) {
    if (action instanceof Action.Delay delay) {
      json.put("delayMillis", delay.delayMillis());
      json.put("jitterMillis", delay.jitterMillis());
    } else if (action instanceof Action.Drop drop) {
      json.put("probability", drop.probability());
    } else if (action instanceof Action.Duplicate duplicate) {
      json.put("probability", duplicate.probability());
    } else if (action instanceof Action.Reorder reorder) {
      json.put("probability", reorder.probability());
      json.put("withinMillis", reorder.withinMillis());
    } else if (action instanceof Action.Corrupt corrupt) {
      json.put("probability", corrupt.probability());
    } else if (action instanceof Action.Throttle throttle) {
      json.put("bytesPerSecond", throttle.bytesPerSecond());
    } else if (action instanceof Action.Straggle straggle) {
      json.put("factor", straggle.factor());
    }
  }

  private static void putTarget(Target target, ObjectNode json) {
    if (target instanceof Target.OfLink of) {
      put(json, "link", of.link());
      if (of.oneWay()) {
        json.put("oneWay", true);
      }
    } else if (target instanceof Target.OfRank of) {
      json.put("rank", of.rank());
    } else if (target instanceof Target.OfLevel of) {
      json.put("level", of.level());
    } else if (target instanceof Target.Drawn drawn) {
      ObjectNode random = json.putObject("random");
      random.put("seed", drawn.seed());
      random.put("count", drawn.count());
      drawn
          .among()
          .ifPresent(among -> random.put("among", among == Target.Among.ALL ? "all" : "tree"));
    }
  }

  static void put(ObjectNode json, String field, Link link) {
    json.putArray(field).add(link.from()).add(link.to());
  }
}
