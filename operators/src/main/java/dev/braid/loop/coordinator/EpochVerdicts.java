package dev.braid.loop.coordinator;

import dev.braid.loop.coordinator.LoopEvent.EpochScore;
import dev.braid.loop.coordinator.LoopEvent.Verdict;
import dev.braid.wire.StateChecksum;
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
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;

/**
 * Adds up the members' scores of an epoch, and says whether training stops after it.
 *
 * <p>Where members go on without one that cannot be reached, and all who have told their score miss
 * it, they go on without its score, and without a stop: it may not come to the epoch's end before
 * it is back. Then it asks, and hears what the others have heard. (Only members of a majority miss
 * anyone.)
 *
 * <p>A verdict is part of the coordinator's checkpoint: when it is given while one member has heard
 * it and another has not, both are restored to before the checkpoint's end, and the second asks
 * again. Flink hands the state back only where it makes the coordinator anew; where it restarts the
 * members alone, it names the checkpoint, so the verdict of each that may be gone back to is kept
 * here, too.
 */
final class EpochVerdicts {

  private static final int VERSION = 3;

  /** A verdict and the members that it is for. */
  record Addressed(Verdict event, List<Integer> addressees) {}

  /**
   * The last epoch that was decided, if one was, whether training stops after it, and what patience
   * counts from: the first epoch with the best quality up to then.
   */
  private record Decision(int epoch, boolean stop, int bestEpoch, double bestQuality) {
    static final Decision NONE = new Decision(-1, false, -1, Double.NEGATIVE_INFINITY);

    /**
     * An epoch without a quality is no reason to stop, and patience does not count it: no test
     * sample was evaluated, or only a part of the test set, which is not to be compared with others
     * and does not say that a target is reached.
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
   * Notes a member's score; answers when there is something to say, and to whom.
   *
   * @param needed whose scores are waited for
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
    // A rank that is back has more than one epoch's end to catch up with; others are further.
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

  /** Whether all have told their score of the epoch but those who are away. */
  private boolean needsNoOther(List<Integer> needed) {
    return needed.stream().allMatch(rank -> scores.containsKey(rank) || isMissedByAll(rank));
  }

  private boolean isMissedByAll(int rank) {
    return scores.values().stream().allMatch(score -> score.absent().contains(rank));
  }

  /** Whether all have told their score that somebody goes on without. */
  private boolean missesNobody() {
    return scores.values().stream().allMatch(score -> scores.keySet().containsAll(score.absent()));
  }

  /** None where no sample was evaluated. */
  private OptionalDouble quality() {
    long samples = scores.values().stream().mapToLong(EpochScore::samples).sum();
    double sum = 0;
    for (EpochScore score : scores.values()) {
      // In the order of the members, and so the same again.
      sum += score.qualitySum();
    }
    return samples == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum / samples);
  }

  /** Members have restarted, or entered a view: each of them will tell its score again. */
  void forgetScores() {
    scores.clear();
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /** What a checkpoint keeps. */
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
    return StateChecksum.sealed(bytes.toByteArray());
  }

  /** None before this checkpoint will be gone back to. */
  void completed(long checkpoint) {
    byCheckpoint.headMap(checkpoint).clear();
  }

  /** Goes on from what a checkpoint has kept; from the beginning where it kept nothing. */
  void restore(long checkpoint, Optional<byte[]> saved) throws IOException {
    forgetScores();
    byCheckpoint.clear();
    decided = saved.isPresent() ? read(saved.get()) : Decision.NONE;
    byCheckpoint.put(checkpoint, decided);
  }

  private static Decision read(byte[] bytes) throws IOException {
    try (DataInputStream in = StateChecksum.open("the loop's coordinator", bytes)) {
      int version = in.readByte();
      if (version != VERSION) {
        throw new IOException(
            "the loop coordinator's state has version " + version + ", not " + VERSION);
      }
      return new Decision(in.readInt(), in.readBoolean(), in.readInt(), in.readDouble());
    }
  }

  /**
   * Members go back to a checkpoint that was taken, or restored, here.
   *
   * @throws IllegalStateException if none of this number was; Flink then restarts the whole job
   */
  void goBackTo(long checkpoint) {
    forgetScores();
    boolean toBeginning = checkpoint == OperatorCoordinator.NO_CHECKPOINT;
    Decision then = toBeginning ? Decision.NONE : byCheckpoint.get(checkpoint);
    if (then == null) {
      throw new IllegalStateException(
          "workers go back to checkpoint "
              + checkpoint
              + ", of which nothing is known: it must be one of "
              + byCheckpoint.keySet());
    }
    decided = then;
    byCheckpoint.tailMap(checkpoint, false).clear();
  }
}
