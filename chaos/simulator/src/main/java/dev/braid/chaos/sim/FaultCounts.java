package dev.braid.chaos.sim;

import dev.braid.chaos.fault.Effect;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Share.Gradient;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.participation.ViewMessage;
import dev.braid.loop.coordinator.LoopEvent;
import dev.braid.loop.coordinator.LoopEvent.ToArbiter;
import dev.braid.loop.coordinator.LoopEvent.ToRank;
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
 * checkpoints and ranks, of incidents in runs from a topic, and of messages and control events by
 * kind. They are counted where they occur, so a run that no fault has hit has no effects, whatever
 * its schedule is.
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

  /** Events of a run from a topic, of its model's versions, and of the job that scores. */
  public enum Incident {
    /** A worker uses a batch. */
    ROUND,
    /** Lines are in the lineage, and their enumerator learns of it. */
    APPEND,
    /** A replaced enumerator appends lines before its successor does. */
    LATE_APPEND,
    /** An append conflicts with that of another enumerator. */
    CONFLICT,
    /** An append fails. */
    FAILED_APPEND,
    /** An append succeeds, but its enumerator receives an error. */
    FAILED_BUT_THERE,
    /** All readers and the enumerator crash. */
    RESTARTED,
    /** All readers crash, and the enumerator continues. */
    READERS_RESTARTED,
    /** A replaced enumerator stays alive for a while. */
    ZOMBIE,
    /** The job resumes with another number of workers. */
    WORKERS_CHANGED,
    /** The job resumes with another batch size. */
    BATCH_CHANGED,
    /** A checkpoint is complete. */
    CHECKPOINT,
    /** A checkpoint is declined. */
    CHECKPOINT_DECLINED,
    /** A checkpoint begins during an append. */
    CHECKPOINT_DURING_APPEND,
    /** The job crashes between the completion of a checkpoint and the notice of it. */
    COMPLETION_LOST,
    /** A request for the ends of partitions fails. */
    LOST_LOOK,
    /** The topic gets another partition. */
    PARTITION_ADDED,
    /** A partition gets no records for a while. */
    PARTITION_IDLE,
    /** Retention deletes records. */
    RECORDS_DELETED,
    /** A reader skips records of its batch that retention has deleted. */
    RECORDS_SKIPPED,
    /** A run that must not skip records ends because some were deleted. */
    STOPPED_BY_RETENTION,
    /** The readers have all deals of a run that has an end. */
    ALL_DEALT,
    /** A version of the model is published. */
    VERSION_PUBLISHED,
    /** A replaced publisher publishes a version. */
    LATE_PUBLICATION,
    /** The job crashes during a publication. */
    PUBLISHER_CRASHED,
    /** A request to the registry's storage fails. */
    REQUEST_FAILED,
    /** The scoring job loads a version. */
    VERSION_SERVED,
    /** The scoring job is restarted. */
    FOLLOWER_RESTARTED,
    /** A version is pinned, or the pin is removed. */
    VERSION_PINNED,
    /** A version is removed. */
    VERSION_REMOVED,
    /** Files of an interrupted publication are removed. */
    LEFTOVERS_REMOVED;

    /** Returns the name in reports. */
    public String title() {
      return "stream-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
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

  /** Counts by effect, response, disturbance or incident, and by kind of message and event. */
  private final Map<Object, Long> counts = new HashMap<>();

  private static Stream<Object> kinds(Class<?> sealed) {
    return sealed.isSealed()
        ? Stream.of(sealed.getPermittedSubclasses()).flatMap(FaultCounts::kinds)
        : Stream.of(sealed);
  }

  void count(Effect effect) {
    add(effect, 1);
  }

  void count(Response response, long times) {
    if (times > 0) {
      add(response, times);
    }
  }

  void count(Disturbance disturbance) {
    add(disturbance, 1);
  }

  /** Counts what happens in a run from a topic. */
  public void count(Incident incident) {
    add(incident, 1);
  }

  /** Counts a message that is sent. */
  void count(Body body) {
    Object kind = body.getClass();
    if (body instanceof Sum sum) {
      kind = sum.kind();
    } else if (body instanceof Gradient gradient && gradient.flushed()) {
      kind = FLUSHED;
    }
    add(kind, 1);
  }

  /** Counts a control event that is sent. */
  void count(LoopEvent event) {
    add(event.getClass(), 1);
    if (event instanceof ToRank toRank) {
      add(toRank.message().getClass(), 1);
    } else if (event instanceof ToArbiter toArbiter) {
      add(toArbiter.message().getClass(), 1);
    }
  }

  private void add(Object kind, long times) {
    counts.merge(kind, times, Long::sum);
  }

  /** Adds the counts of another run. */
  public void add(FaultCounts other) {
    other.counts.forEach(this::add);
  }

  /** Returns the number of messages or gradients on which faults had this effect. */
  public long of(Effect effect) {
    return counts.getOrDefault(effect, 0L);
  }

  /** Returns the number of these responses. */
  public long of(Response response) {
    return counts.getOrDefault(response, 0L);
  }

  /** Returns the number of these disturbances. */
  public long of(Disturbance disturbance) {
    return counts.getOrDefault(disturbance, 0L);
  }

  /** Returns the number of these incidents. */
  public long of(Incident incident) {
    return counts.getOrDefault(incident, 0L);
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
            KINDS.stream().filter(kind -> !counts.containsKey(kind)).map(FaultCounts::title))
        .toList();
  }

  private Map<String, Long> happened() {
    Map<String, Long> all = new LinkedHashMap<>();
    Stream.of(Effect.values()).forEach(effect -> all.put(effect.title(), of(effect)));
    Stream.of(Response.values()).forEach(response -> all.put(response.title(), of(response)));
    Stream.of(Disturbance.values()).forEach(what -> all.put(what.title(), of(what)));
    Stream.of(Incident.values()).forEach(what -> all.put(what.title(), of(what)));
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
