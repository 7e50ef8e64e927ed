package dev.braid.chaos.sim;

import dev.braid.chaos.fault.Effect;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How often faults had which effect in a run, and how often exchanges went around them: counted
 * where it happens, so a run that no fault hit has zeros whatever its schedule says.
 */
public final class FaultCounts {

  /** What exchanges do about faults. */
  public enum Response {
    /** A message is sent again by the rank that it is from. */
    RETRANSMITTED,
    /** A message is sent another way than over the link to the rank that it is for. */
    REROUTED,
    /** Others, or a rank, go on without a rank. */
    LEFT_OUT,
    /** They go on with it again. */
    REJOINED;

    /** As reports have it. */
    public String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Map<Effect, Long> effects = new EnumMap<>(Effect.class);
  private final Map<Response, Long> responses = new EnumMap<>(Response.class);

  void count(Effect effect) {
    effects.merge(effect, 1L, Long::sum);
  }

  void count(Response response, long times) {
    if (times > 0) {
      responses.merge(response, times, Long::sum);
    }
  }

  /** Adds the counts of another run. */
  public void add(FaultCounts other) {
    other.effects.forEach((effect, times) -> effects.merge(effect, times, Long::sum));
    other.responses.forEach((response, times) -> responses.merge(response, times, Long::sum));
  }

  /** On how many messages, or gradients, faults had this effect. */
  public long of(Effect effect) {
    return effects.getOrDefault(effect, 0L);
  }

  /** How often exchanges did this. */
  public long of(Response response) {
    return responses.getOrDefault(response, 0L);
  }

  /** All counts, each with its name. */
  @Override
  public String toString() {
    return Stream.concat(
            Stream.of(Effect.values()).map(effect -> effect.title() + " " + of(effect)),
            Stream.of(Response.values()).map(response -> response.title() + " " + of(response)))
        .collect(Collectors.joining(", "));
  }
}
