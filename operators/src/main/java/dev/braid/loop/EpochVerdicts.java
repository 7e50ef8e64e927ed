package dev.braid.loop;

import dev.braid.loop.LoopEvent.EpochScore;
import dev.braid.loop.LoopEvent.Verdict;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Adds up the members' scores of an epoch, and says whether training stops after it.
 *
 * <p>A verdict is part of the coordinator's checkpoint: when it is given while one member has heard
 * it and another has not, both are restored to before the checkpoint's end, and the second asks
 * again.
 */
final class EpochVerdicts {

  private static final int VERSION = 1;
  private static final int NONE = -1;

  /** A verdict and the members that it is for. */
  record Addressed(Verdict event, List<Integer> addressees) {}

  private final OptionalDouble targetAccuracy;
  private final Map<Integer, EpochScore> scores = new TreeMap<>();
  private int decidedEpoch = NONE;
  private boolean stop;

  EpochVerdicts(OptionalDouble targetAccuracy) {
    this.targetAccuracy = targetAccuracy;
  }

  /**
   * Notes a member's score; answers when there is something to say, and to whom.
   *
   * @param needed whose scores are waited for
   */
  Optional<Addressed> score(int subtask, List<Integer> needed, EpochScore score) {
    if (score.epoch() <= decidedEpoch) {
      boolean stopHere = stop && score.epoch() == decidedEpoch;
      return Optional.of(new Addressed(new Verdict(score.epoch(), stopHere), List.of(subtask)));
    }
    scores.put(subtask, score);
    return decide(needed);
  }

  /** Others' scores may be waited for from now on. */
  Optional<Addressed> decide(List<Integer> needed) {
    // A rank that is back has more than one epoch's end to catch up with; others are further.
    int epoch = scores.values().stream().mapToInt(EpochScore::epoch).max().orElse(NONE);
    boolean allHere =
        needed.stream()
            .allMatch(rank -> scores.containsKey(rank) && scores.get(rank).epoch() == epoch);
    if (epoch <= decidedEpoch || !allHere) {
      return Optional.empty();
    }
    scores.values().removeIf(score -> score.epoch() < epoch);
    List<Integer> addressees = List.copyOf(scores.keySet());
    decidedEpoch = epoch;
    stop = targetAccuracy.isPresent() && accuracy() >= targetAccuracy.getAsDouble();
    scores.clear();
    return Optional.of(new Addressed(new Verdict(decidedEpoch, stop), addressees));
  }

  private double accuracy() {
    long samples = scores.values().stream().mapToLong(EpochScore::samples).sum();
    long correct = scores.values().stream().mapToLong(EpochScore::correct).sum();
    return samples == 0 ? 0 : (double) correct / samples;
  }

  /** Members have restarted: each of them will tell its score again. */
  void forgetScores() {
    scores.clear();
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeInt(decidedEpoch);
      out.writeBoolean(stop);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  void fromBytes(byte[] bytes) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readByte();
      if (version != VERSION) {
        throw new IOException(
            "the loop coordinator's state has version " + version + ", not " + VERSION);
      }
      decidedEpoch = in.readInt();
      stop = in.readBoolean();
    }
  }
}
