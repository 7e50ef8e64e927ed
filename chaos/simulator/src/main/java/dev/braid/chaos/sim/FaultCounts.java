package dev.braid.chaos.sim;

import dev.braid.chaos.fault.Effect;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How often faults had which effect in a run, how often exchanges went around them, and what became
 * of checkpoints and ranks: counted where it happens, so a run that no fault hit has zeros whatever
 * its schedule says.
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
    REJOINED,
    /** An epoch gets another tree than the one before. */
    REPLANNED;

    /** As reports have it. */
    public String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** What becomes of checkpoints, and crashes. */
  public enum Disturbance {
    /** A checkpoint is complete. */
    COMPLETED,
    /** One is declined, as ranks cannot reach each other. */
    DECLINED,
    /** One is aborted before all ranks are held. */
    ABORTED_HOLDING,
    /** One is aborted when all ranks are held and none has written its part. */
    ABORTED_HELD,
    /** One is aborted when some ranks have written their parts and gone on. */
    ABORTED_PART_WRITTEN,
    /** One is aborted when all ranks have. */
    ABORTED_WRITTEN,
    /** All ranks crash while no checkpoint is under way. */
    CRASHED,
    /** They crash while they are being held for one. */
    CRASHED_HOLDING,
    /** They crash while they write their parts. */
    CRASHED_TAKING,
    /** They go on from a checkpoint. */
    RESTORED,
    /** They begin again, as there is no checkpoint. */
    BEGUN_AGAIN;

    /** As reports have it. */
    public String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Map<Effect, Long> effects = new EnumMap<>(Effect.class);
  private final Map<Response, Long> responses = new EnumMap<>(Response.class);
  private final Map<Disturbance, Long> disturbances = new EnumMap<>(Disturbance.class);

  void count(Effect effect) {
    effects.merge(effect, 1L, Long::sum);
  }

  void count(Response response, long times) {
    if (times > 0) {
      responses.merge(response, times, Long::sum);
    }
  }

  void count(Disturbance disturbance) {
    disturbances.merge(disturbance, 1L, Long::sum);
  }

  /** Adds the counts of another run. */
  public void add(FaultCounts other) {
    other.effects.forEach((effect, times) -> effects.merge(effect, times, Long::sum));
    other.responses.forEach((response, times) -> responses.merge(response, times, Long::sum));
    other.disturbances.forEach((what, times) -> disturbances.merge(what, times, Long::sum));
  }

  /** On how many messages, or gradients, faults had this effect. */
  public long of(Effect effect) {
    return effects.getOrDefault(effect, 0L);
  }

  /** How often exchanges did this. */
  public long of(Response response) {
    return responses.getOrDefault(response, 0L);
  }

  /** How often this happened. */
  public long of(Disturbance disturbance) {
    return disturbances.getOrDefault(disturbance, 0L);
  }

  /** All counts, each with its name. */
  @Override
  public String toString() {
    return Stream.of(
            Stream.of(Effect.values()).map(effect -> effect.title() + " " + of(effect)),
            Stream.of(Response.values()).map(response -> response.title() + " " + of(response)),
            Stream.of(Disturbance.values()).map(what -> what.title() + " " + of(what)))
        .flatMap(counts -> counts)
        .collect(Collectors.joining(", "));
  }
}
