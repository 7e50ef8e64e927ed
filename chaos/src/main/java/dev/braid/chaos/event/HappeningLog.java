package dev.braid.chaos.event;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.braid.chaos.event.Happening.Outcome;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Log of what happened to events, one JSON object a line; a run can be replayed from it. */
public final class HappeningLog {

  /** Version of the log format. */
  static final int VERSION = 1;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * A line of the log.
   *
   * @param run id of the Flink job, since a topic may have the lines of several
   * @param happening happening, with the time of training in whole milliseconds
   * @param at time when it happened, by the clock of the machine that wrote the line
   */
  public record Entry(String run, Happening happening, Instant at) {

    /**
     * Returns the event with a start at the same round, so that a run with it takes the same
     * course.
     */
    public ChaosEvent replay() {
      return happening.event().withStart(new Start.AtRound(Math.max(0, happening.round())));
    }
  }

  private HappeningLog() {}

  /** Returns an entry as a line, without a line end. */
  public static String write(Entry entry) {
    Happening happening = entry.happening();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("version", VERSION);
    json.put("run", entry.run());
    json.put("outcome", happening.outcome().title());
    json.put("round", happening.round());
    json.put("trainingMillis", happening.nanos() / NANOS_PER_MILLI);
    json.put("rank", happening.rank());
    happening.touched().ifPresent(link -> json.putArray("touched").add(link.from()).add(link.to()));
    json.put("at", entry.at().toString());
    happening.event().origin().ifPresent(origin -> json.put("origin", origin));
    if (!happening.reason().isEmpty()) {
      json.put("reason", happening.reason());
    }
    json.put("event", EventWriter.write(happening.event()));
    return json.toString();
  }

  /**
   * Reads a line.
   *
   * @throws InvalidEventException if it is not a line of the log
   */
  public static Entry read(String line) throws InvalidEventException {
    Fields fields = Fields.read("line", line);
    fields.whole("version", VERSION, VERSION);
    String run = fields.text("run");
    Outcome outcome = outcome(fields.text("outcome"));
    long round = fields.whole("round", -1, Limits.WHOLE);
    long millis = fields.whole("trainingMillis", 0, Limits.WHOLE);
    int rank = (int) fields.whole("rank", 0, Limits.RANKS - 1);
    Instant at = instant(fields.text("at"));
    String reason = fields.optionalText("reason").orElse("");
    Optional<Link> link = fields.optionalLink("touched");
    Optional<String> origin = fields.optionalText("origin");
    ChaosEvent said = EventReader.read(fields.text("event"));
    fields.end();
    ChaosEvent event = origin.map(said::from).orElse(said);
    return new Entry(
        run,
        new Happening(outcome, event, rank, millis * NANOS_PER_MILLI, round, reason, link),
        at);
  }

  private static Outcome outcome(String title) throws InvalidEventException {
    for (Outcome outcome : Outcome.values()) {
      if (outcome.title().equals(title)) {
        return outcome;
      }
    }
    throw new InvalidEventException(
        "outcome \"" + Fields.shorten(title).toLowerCase(Locale.ROOT) + "\" is unknown");
  }

  private static Instant instant(String text) throws InvalidEventException {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new InvalidEventException("at \"" + Fields.shorten(text) + "\": not a time", e);
    }
  }
}
