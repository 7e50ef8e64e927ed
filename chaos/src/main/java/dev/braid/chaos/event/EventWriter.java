package dev.braid.chaos.event;

import java.io.DataOutput;
import java.io.IOException;
import java.util.StringJoiner;

/** Writes events, one line each, as {@link EventReader} reads them. */
public final class EventWriter {

  private static final long SECOND_MILLIS = 1000;
  private static final long DAY_MILLIS = 24 * 60 * 60 * SECOND_MILLIS;

  private EventWriter() {}

  /** Returns an event as a line, without a line end. */
  public static String write(ChaosEvent event) {
    StringJoiner words = new StringJoiner(" ");
    words.add(event.action().title());
    words.add(target(event.target()));
    addParameters(event.action(), words);
    if (event.start() instanceof Start.AtRound at) {
      words.add("at-round").add(Long.toString(at.round()));
    } else if (event.start() instanceof Start.After after) {
      words.add("after").add(time(after.millis()));
    }
    event.forMillis().ifPresent(millis -> words.add("for").add(time(millis)));
    event.id().ifPresent(id -> words.add("id").add(id));
    return words.toString();
  }

  /** Writes an event with its place in the stream, as {@link EventReader#readTaken} reads it. */
  public static void writeTaken(ChaosEvent event, DataOutput out) throws IOException {
    out.writeUTF(event.origin().orElse(""));
    out.writeUTF(write(event));
  }

  /** Returns a time as a user types it. */
  static String time(long millis) {
    if (millis > 0 && millis % DAY_MILLIS == 0) {
      return millis / DAY_MILLIS + "d";
    }
    boolean isWhole = millis > 0 && millis % SECOND_MILLIS == 0;
    return isWhole ? millis / SECOND_MILLIS + "s" : millis + "ms";
  }

  private static String target(Target target) {
    if (target instanceof Target.OfLink of) {
      return of.link().from() + " " + of.link().to() + (of.oneWay() ? " one-way" : "");
    }
    if (target instanceof Target.OfRank of) {
      return Integer.toString(of.rank());
    }
    if (target instanceof Target.OfLevel of) {
      return "level " + of.level();
    }
    if (target instanceof Target.OfBlock of) {
      return "block " + of.block() + " of " + of.mesh();
    }
    Target.Drawn drawn = (Target.Drawn) target;
    String among =
        drawn.among().map(it -> it == Target.Among.ALL ? " among all" : " among tree").orElse("");
    return "random " + drawn.count() + " seed " + drawn.seed() + among;
  }

  private static void addParameters(Action action, StringJoiner words) {
    if (action instanceof Action.Delay delay) {
      words.add("by").add(time(delay.delayMillis()));
      if (delay.jitterMillis() > 0) {
        words.add("jitter").add(time(delay.jitterMillis()));
      }
    } else if (action instanceof Action.Drop drop) {
      words.add("probability").add(number(drop.probability()));
    } else if (action instanceof Action.Duplicate duplicate) {
      words.add("probability").add(number(duplicate.probability()));
    } else if (action instanceof Action.Reorder reorder) {
      words.add("probability").add(number(reorder.probability()));
      words.add("within").add(time(reorder.withinMillis()));
    } else if (action instanceof Action.Corrupt corrupt) {
      words.add("probability").add(number(corrupt.probability()));
    } else if (action instanceof Action.Throttle throttle) {
      words.add("bytes-per-second").add(Long.toString(throttle.bytesPerSecond()));
    } else if (action instanceof Action.Straggle straggle) {
      words.add("factor").add(number(straggle.factor()));
    }
  }

  /** Returns the shortest text that identifies the number. */
  private static String number(double value) {
    return Double.toString(value).replaceFirst("\\.0$", "");
  }
}
