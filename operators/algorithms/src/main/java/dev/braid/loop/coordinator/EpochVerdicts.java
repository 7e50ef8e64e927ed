package dev.braid.loop.coordinator;

import dev.braid.loop.coordinator.LoopEvent.EpochScore;
import dev.braid.loop.coordinator.LoopEvent.Verdict;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Adds up the members' scores of an epoch, and decides whether training stops after it.
 *
 * <p>If members continue without an unreachable one, and all members that have reported a score
 * miss it, the verdict is given without its score, and does not stop training: the missing member
 * may not reach the epoch's end before it rejoins. It then asks, and receives the verdict that the
 * others have received. (Only members of a majority miss another member.)
 *
 * <p>A verdict is part of the coordinator's checkpoint. If one member has received it and another
 * has not when they fail, both are restored to a point before the verdict, and the second asks
 * again. Flink restores the state only if it creates a new coordinator. If it restarts only the
 * members, it names the checkpoint. The verdict of each checkpoint that may be restored is
 * therefore kept here, too.
 */
final class EpochVerdicts {

  private static final int VERSION = 3;

  /** A verdict and the members that it is for. */
  record Addressed(Verdict event, List<Integer> addressees) {}

  /**
   * The last epoch that was decided, if any, and whether training stops after it. Patience counts
   * from {@code bestEpoch}, the first epoch with the best quality up to then.
   */
  private record Decision(int epoch, boolean stop, int bestEpoch, double bestQuality) {
    static final Decision NONE = new Decision(-1, false, -1, Double.NEGATIVE_INFINITY);

    /**
     * Returns the decision about the next epoch. An epoch without a quality is no reason to stop,
     * and patience does not count it. It has no quality if no test sample was evaluated, or only a
     * part of the test set: that part is not comparable with other epochs and does not show that a
     * target is reached.
     */
    Decision next(int nextEpoch, OptionalDouble known, StoppingRule rule) {
      if (known.isEmpty()) {
        return new Decision(nextEpoch, false, bestEpoch + 1, bestQuality);
      }
      double quality = known.getAsDouble();
      boolean isBest = quality > bestQuality;
      int best = isBest ? nextEpoch : bestEpoch;
      boolean stops = rule.isReached(quality) || rule.isOutOfPatience(nextEpoch - best);
      return new Decision(nextEpoch, stops, best, isBest ? quality : bestQuality);
    }
  }

  private final StoppingRule rule;
  private final Map<Integer, EpochScore> scores = new TreeMap<>();
  private final NavigableMap<Long, Decision> byCheckpoint = new TreeMap<>();
  private Decision decided = Decision.NONE;

  EpochVerdicts(StoppingRule rule) {
    this.rule = rule;
  }

  /**
   * Adds a member's score. Returns the verdict and its addressees if it can be given.
   *
   * @param needed members whose scores are waited for
   */
  Optional<Addressed> score(int subtask, List<Integer> needed, EpochScore score) {
    if (score.epoch() <= decided.epoch()) {
      boolean stopHere = decided.stop() && score.epoch() == decided.epoch();
      return Optional.of(new Addressed(new Verdict(score.epoch(), stopHere), List.of(subtask)));
    }
    scores.put(subtask, score);
    return decide(needed);
  }

  private Optional<Addressed> decide(List<Integer> needed) {
    // A rank that has rejoined may have several epochs to catch up with; others are further ahead.
    int epoch =
        scores.values().stream().mapToInt(EpochScore::epoch).max().orElse(Decision.NONE.epoch());
    scores.values().removeIf(score -> score.epoch() < epoch);
    if (epoch <= decided.epoch() || !needsNoOther(needed)) {
      return Optional.empty();
    }
    List<Integer> addressees = List.copyOf(scores.keySet());
    boolean isWhole = scores.keySet().containsAll(needed) && missesNobody();
    decided = decided.next(epoch, isWhole ? quality() : OptionalDouble.empty(), rule);
    scores.clear();
    return Optional.of(new Addressed(new Verdict(epoch, decided.stop()), addressees));
  }

  /** Returns whether all members have reported their score of the epoch, except absent ones. */
  private boolean needsNoOther(List<Integer> needed) {
    return needed.stream().allMatch(rank -> scores.containsKey(rank) || isMissedByAll(rank));
  }

  private boolean isMissedByAll(int rank) {
    return scores.values().stream().allMatch(score -> score.absent().contains(rank));
  }

  /** Returns whether every member that another one continues without has reported its score. */
  private boolean missesNobody() {
    return scores.values().stream().allMatch(score -> scores.keySet().containsAll(score.absent()));
  }

  /** Returns the quality on the whole test set; empty if no sample was evaluated. */
  private OptionalDouble quality() {
    long samples = scores.values().stream().mapToLong(EpochScore::samples).sum();
    double sum = 0;
    for (EpochScore score : scores.values()) {
      // Added in the order of the members, so that the sum is reproducible.
      sum += score.qualitySum();
    }
    return samples == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / samples);
  }

  /**
   * Forgets all scores: members have restarted or entered a view, and each reports its score again.
   */
  void forgetScores() {
    scores.clear();
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /** Returns the state for a checkpoint. */
  byte[] save(long checkpoint) {
    byCheckpoint.put(checkpoint, decided);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeInt(decided.epoch());
      out.writeBoolean(decided.stop());
      out.writeInt(decided.bestEpoch());
      out.writeDouble(decided.bestQuality());
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  /** Forgets the checkpoints before this one, which will not be restored. */
  void completed(long checkpoint) {
    byCheckpoint.headMap(checkpoint).clear();
  }

  /** Continues from the state in a checkpoint, or from the beginning if there is none. */
  void restore(long checkpoint, Optional<byte[]> saved) throws IOException {
    forgetScores();
    byCheckpoint.clear();
    decided = saved.isPresent() ? read(saved.get()) : Decision.NONE;
    byCheckpoint.put(checkpoint, decided);
  }

  private static Decision read(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readByte();
      if (version != VERSION) {
        throw new IOException(
            "the loop coordinator's state has version " + version + ", not " + VERSION);
      }
      return new Decision(in.readInt(), in.readBoolean(), in.readInt(), in.readDouble());
    }
  }

  /**
   * Goes back to a checkpoint that was taken, or restored, here, because members do.
   *
   * @throws IllegalStateException if there was no such checkpoint; Flink then restarts the whole
   *     job
   */
  void goBackTo(long checkpoint) {
    forgetScores();
    boolean toBeginning = checkpoint == Coordinator.NO_CHECKPOINT;
    Decision then = toBeginning ? Decision.NONE : byCheckpoint.get(checkpoint);
    if (then == null) {
      throw new IllegalStateException(
          "workers restore checkpoint "
              + checkpoint
              + ", which is unknown: must be one of "
              + byCheckpoint.keySet());
    }
    decided = then;
    byCheckpoint.tailMap(checkpoint, false).clear();
  }
}
