package dev.braid.chaos.sim;

import dev.braid.chaos.fault.Effect;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.loop.coordinator.LoopEvent.ToArbiter;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts of the effects of faults in a run, of the exchanges' responses, of disturbances of
 * checkpoints and ranks, and of messages and control events by kind. They are counted where they
 * occur, so a run that no fault has hit has no effects, whatever its schedule is.
 */
public final class FaultCounts {

  /** Responses of exchanges to faults. */
  public enum Response {
    /** A message is sent again by its origin. */
    RETRANSMITTED,
    /** A message takes another route than the link to its destination. */
    REROUTED,
    /** The others, or a rank itself, continue without a rank. */
    LEFT_OUT,
    /** They continue with the rank again. */
    REJOINED,
    /** An epoch gets another tree than the previous one. */
    REPLANNED;

    /** Returns the name in reports. */
    public String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Outcomes of checkpoints, and crashes. */
  public enum Disturbance {
    /** A checkpoint is complete. */
    COMPLETED,
    /** A checkpoint is declined, since ranks cannot reach each other. */
    DECLINED,
    /** A checkpoint is aborted before all ranks are held. */
    ABORTED_HOLDING,
    /** A checkpoint is aborted when all ranks are held and none has written its part. */
    ABORTED_HELD,
    /** A checkpoint is aborted when some ranks have written their parts and resumed. */
    ABORTED_PART_WRITTEN,
    /** A checkpoint is aborted when all ranks have written their parts. */
    ABORTED_WRITTEN,
    /** All ranks crash while no checkpoint is in progress. */
    CRASHED,
    /** All ranks crash while they are being held for a checkpoint. */
    CRASHED_HOLDING,
    /** All ranks crash while they write their parts. */
    CRASHED_TAKING,
    /** The storage fails to write a rank's part, which aborts the checkpoint. */
    WRITE_FAILED,
    /** The storage takes so long to write a rank's part that the checkpoint expires. */
    EXPIRED,
    /** The coordinator is lost between the completion of a checkpoint and the notice of it. */
    COMPLETION_LOST,
    /** A message waits for a rank that is paused. */
    PAUSED,
    /** Only the tasks restart after a failure. */
    REGION_RESTARTED,
    /** The whole job restarts, in the same JobManager. */
    JOB_RESTARTED,
    /** The job restarts in another JobManager, with another coordinator. */
    JOB_MANAGER_LOST,
    /** All ranks resume from a checkpoint. */
    RESTORED,
    /** All ranks resume from a checkpoint at which some of them were excluded. */
    RESTORED_WITH_EXCLUDED,
    /** A run resumes with another number of ranks than it was saved with. */
    RESCALED,
    /** All ranks begin again, since there is no checkpoint. */
    BEGUN_AGAIN,
    /** The run ends while some ranks are excluded. */
    ENDED_WITH_EXCLUDED;

    /** Returns the name in reports. */
    public String title() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Control events that no simulated rank causes: reports of recoveries by the clock, and those
   * about the end of a stream.
   */
  private static final Set<Object> OF_FLINK =
      Set.of(
          LoopEvent.StoodStill.class,
          LoopEvent.FirstRound.class,
          LoopEvent.Recovered.class,
          LoopEvent.InputEnded.class,
          LoopEvent.CountRounds.class,
          LoopEvent.RoundsCounted.class,
          LoopEvent.InputIsOver.class);

  /** Kind of a gradient that is sent to be held back. */
  private static final String FLUSHED = "flushed gradient";

  /** All kinds of messages and control events. */
  private static final List<Object> KINDS =
      Stream.of(
              kinds(Body.class).filter(kind -> kind != Sum.class && kind != Gradient.class),
              Stream.of(Sum.Kind.values()),
              Stream.of(Gradient.class, FLUSHED),
              kinds(LoopEvent.class).filter(kind -> !OF_FLINK.contains(kind)),
              kinds(ViewMessage.class))
          .<Object>flatMap(kinds -> kinds)
          .toList();

  private final Map<Effect, Long> effects = new EnumMap<>(Effect.class);
  private final Map<Response, Long> responses = new EnumMap<>(Response.class);
  private final Map<Disturbance, Long> disturbances = new EnumMap<>(Disturbance.class);
  private final Map<Object, Long> sent = new HashMap<>();

  private static Stream<Object> kinds(Class<?> sealed) {
    return sealed.isSealed()
        ? Stream.of(sealed.getPermittedSubclasses()).flatMap(FaultCounts::kinds)
        : Stream.of(sealed);
  }

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

  /** Counts a message that is sent. */
  void count(Body body) {
    Object kind = body.getClass();
    if (body instanceof Sum sum) {
      kind = sum.kind();
    } else if (body instanceof Gradient gradient && gradient.flushed()) {
      kind = FLUSHED;
    }
    sent.merge(kind, 1L, Long::sum);
  }

  /** Counts a control event that is sent. */
  void count(LoopEvent event) {
    sent.merge(event.getClass(), 1L, Long::sum);
    if (event instanceof ToRank toRank) {
      sent.merge(toRank.message().getClass(), 1L, Long::sum);
    } else if (event instanceof ToArbiter toArbiter) {
      sent.merge(toArbiter.message().getClass(), 1L, Long::sum);
    }
  }

  /** Adds the counts of another run. */
  public void add(FaultCounts other) {
    other.effects.forEach((effect, times) -> effects.merge(effect, times, Long::sum));
    other.responses.forEach((response, times) -> responses.merge(response, times, Long::sum));
    other.disturbances.forEach((what, times) -> disturbances.merge(what, times, Long::sum));
    other.sent.forEach((kind, times) -> sent.merge(kind, times, Long::sum));
  }

  /** Returns the number of messages or gradients on which faults had this effect. */
  public long of(Effect effect) {
    return effects.getOrDefault(effect, 0L);
  }

  /** Returns the number of these responses. */
  public long of(Response response) {
    return responses.getOrDefault(response, 0L);
  }

  /** Returns the number of these disturbances. */
  public long of(Disturbance disturbance) {
    return disturbances.getOrDefault(disturbance, 0L);
  }

  private static String title(Object kind) {
    if (kind instanceof Class<?> type) {
      String family = type.getEnclosingClass().getSimpleName();
      return family + "." + type.getSimpleName();
    }
    return kind instanceof Sum.Kind sum ? "Sum." + sum.name() : kind.toString();
  }

  /** Returns the names of all that was never counted. */
  public List<String> never() {
    return Stream.concat(
            happened().entrySet().stream()
                .filter(count -> count.getValue() == 0)
                .map(Map.Entry::getKey),
            KINDS.stream().filter(kind -> !sent.containsKey(kind)).map(FaultCounts::title))
        .toList();
  }

  private Map<String, Long> happened() {
    Map<String, Long> all = new LinkedHashMap<>();
    Stream.of(Effect.values()).forEach(effect -> all.put(effect.title(), of(effect)));
    Stream.of(Response.values()).forEach(response -> all.put(response.title(), of(response)));
    Stream.of(Disturbance.values()).forEach(what -> all.put(what.title(), of(what)));
    return all;
  }

  /** Returns all counts above 0 except those of messages and control events, each with its name. */
  @Override
  public String toString() {
    return happened().entrySet().stream()
        .filter(count -> count.getValue() > 0)
        .map(count -> count.getKey() + " " + count.getValue())
        .collect(Collectors.joining(", "));
  }
}
