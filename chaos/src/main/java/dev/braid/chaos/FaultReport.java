package dev.braid.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventText;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.text.Printable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Report on faults for clients of a run, from the run's links and from the desk of invalid records:
 * the latest happenings, and the faults in force. It travels as JSON in an accumulator, with a
 * separate part of each rank. It is bounded: happenings that come faster than a client polls are
 * only counted.
 *
 * @param ranks report of each rank; no event is reported by two ranks
 */
public record FaultReport(List<OfRank> ranks) {

  /** Name of the accumulator. */
  public static final String ACCUMULATOR = "braid.faults";

  private static final int RECENT = 20;
  private static final int NAMED_IN_FORCE = 5;
  private static final int SENTENCE_LENGTH = 300;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * Report of one rank.
   *
   * @param attempt attempt of its task; after a restart, counts start from 0
   * @param told number of happenings that it has reported
   * @param recent the last of these, oldest first, a sentence each
   * @param inForce some of the faults in force
   * @param countInForce number of faults in force
   */
  public record OfRank(
      int rank,
      int attempt,
      long told,
      List<String> recent,
      List<String> inForce,
      int countInForce) {}

  /**
   * Parses the reports that ranks have written, separated by commas.
   *
   * @throws IllegalArgumentException if the text is not such a report
   */
  public static FaultReport parse(String json) {
    try {
      return new FaultReport(List.of(JSON.readValue("[" + json + "]", OfRank[].class)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a report of a link about faults: " + json, e);
    }
  }

  /** Collects the report of one rank's links. */
  static final class Teller {

    private final int rank;
    private final int attempt;
    private final Deque<String> recent = new ArrayDeque<>();
    private final Map<String, ChaosEvent> inForce = new LinkedHashMap<>();
    private long told;

    Teller(int rank, int attempt) {
      this.rank = rank;
      this.attempt = attempt;
    }

    /** Adds a happening, and returns whether the report has changed. */
    boolean add(Happening happening) {
      ChaosEvent event = happening.event();
      String id = event.id().orElse("");
      if (happening.outcome() == Outcome.APPLIED && !event.action().ends()) {
        inForce.put(id, event);
      }
      boolean isOver = happening.outcome() == Outcome.ENDED && inForce.remove(id) != null;
      if (happening.outcome() == Outcome.APPLIED && !happening.isRestored()) {
        tell(happening.round(), EventText.begun(event));
      } else if (isOver && happening.isTimeOver()) {
        tell(happening.round(), EventText.over(event));
      }
      boolean isIgnored = happening.outcome() == Outcome.IGNORED && !happening.isNeverDue();
      if (isIgnored) {
        tell(
            happening.round(), EventText.wanted(event) + " changed nothing: " + happening.reason());
      }
      return happening.outcome() == Outcome.APPLIED || isOver || isIgnored;
    }

    /** Adds an event that was refused since it names a rank or link that does not exist. */
    void refuse(ChaosEvent event, long round, String reason) {
      tell(round, EventText.wanted(event) + " refused: " + reason);
    }

    private void tell(long round, String what) {
      say((round < 0 ? "before the first round: " : "round " + round + ": ") + what);
    }

    /** Adds a sentence, which may contain text of a client that writes to the topic. */
    void say(String sentence) {
      String shown = Printable.of(sentence);
      recent.add(shown.substring(0, Math.min(shown.length(), SENTENCE_LENGTH)));
      told++;
      if (recent.size() > RECENT) {
        recent.remove();
      }
    }

    String toJson() {
      List<String> named =
          inForce.values().stream().limit(NAMED_IN_FORCE).map(EventText::inForce).toList();
      OfRank all = new OfRank(rank, attempt, told, new ArrayList<>(recent), named, inForce.size());
      try {
        return JSON.writeValueAsString(all);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("texts and numbers cannot be written", e);
      }
    }
  }
}
