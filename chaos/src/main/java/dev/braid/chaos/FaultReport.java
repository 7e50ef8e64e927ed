package dev.braid.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventText;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.files.Printable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a run's links say of faults, and the desk of what is no event, to whoever follows the run:
 * the latest that happened, and what is in force. It travels as JSON in an accumulator, each rank's
 * part of it for itself; so it is bounded, and what comes faster than it is looked at is only
 * counted.
 *
 * @param ranks what each rank tells of: no event is told of by two
 */
public record FaultReport(List<OfRank> ranks) {

  /** The accumulator's name. */
  public static final String ACCUMULATOR = "braid.faults";

  private static final int RECENT = 20;
  private static final int NAMED_IN_FORCE = 5;
  private static final int SENTENCE_LENGTH = 300;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * What one rank tells of.
   *
   * @param attempt of its task: after a restart, counting begins anew
   * @param told how much it has told of
   * @param recent the last of that, oldest first, a sentence each
   * @param inForce some of what is in force
   * @param countInForce how much is
   */
  public record OfRank(
      int rank,
      int attempt,
      long told,
      List<String> recent,
      List<String> inForce,
      int countInForce) {}

  /**
   * Reads what ranks have written, one after the other.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static FaultReport parse(String json) {
    try {
      return new FaultReport(List.of(JSON.readValue("[" + json + "]", OfRank[].class)));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a report of a link about faults: " + json, e);
    }
  }

  /** What one rank's links tell of, as it happens. */
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

    /** Notes what has happened; true if there is something new to tell. */
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

    /** Notes that there is no such rank or link. */
    void refuse(ChaosEvent event, long round, String reason) {
      tell(round, EventText.wanted(event) + " refused: " + reason);
    }

    private void tell(long round, String what) {
      say((round < 0 ? "before the first round: " : "round " + round + ": ") + what);
    }

    /** Notes a sentence, of which a part may be from anybody. */
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
