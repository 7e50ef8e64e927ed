package dev.braid.worker.state;

import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Roles;
import dev.braid.exchange.state.StateFormat;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateKind.Rescaling;
import dev.braid.learner.Learner;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import dev.braid.worker.report.EpochSums;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Parts of checkpoints for tests, which fit together. */
final class ReplicaParts {

  private ReplicaParts() {}

  /**
   * Returns a part with a whole replica; the first rank's last epoch is open, the second's is
   * closed.
   */
  static ReplicaPart own(int rank, long rounds, int endedEpochs, float value) {
    return new ReplicaPart(
        role(rank, 2, 2),
        true,
        true,
        position(rounds, endedEpochs, rank == 0),
        new SavedVectors(
            SavedVectors.Kind.REPLICA,
            2,
            Range.ofLength(2),
            slices(new float[][] {{value, value}})),
        EpochSums.NONE,
        "sgd",
        states(2, rank, rank, 10 * rank));
  }

  static List<ReplicaPart> ofTwoWorkersAndTwoServers() {
    return List.of(
        served(0, new Range(0, 0), 5, 1),
        served(1, new Range(0, 0), 7, 2),
        served(2, new Range(0, 5), 0, 0),
        served(3, new Range(5, 10), 0, 0));
  }

  /**
   * Returns the part of a rank that serves its range, after {@code steps} steps, of which four are
   * an epoch.
   */
  static ReplicaPart with(ReplicaPart part, long steps) {
    return new ReplicaPart(
        part.role(),
        part.quiet(),
        part.isCurrent(),
        new SavedPosition(
            part.position().completedRounds(),
            steps,
            steps / 4.0,
            part.position().openEpoch(),
            part.position().endedEpochs()),
        with(part.model(), SavedVectors.Kind.SERVED, part.model().slices()),
        part.sums(),
        part.optimiser(),
        part.exchangeStates());
  }

  /** Returns a part of one of four ranks, two of which compute; the last epoch of both is open. */
  static ReplicaPart served(int rank, Range range, long rounds, int endedEpochs) {
    float[][] whole = vectors(10);
    float[][] parts = new float[2][];
    for (int v = 0; v < 2; v++) {
      parts[v] = Arrays.copyOfRange(whole[v], range.start(), range.end());
    }
    return new ReplicaPart(
        role(rank, 4, 2),
        true,
        true,
        position(rounds, endedEpochs, true),
        new SavedVectors(SavedVectors.Kind.SERVED, 10, range, slices(parts)),
        EpochSums.NONE,
        "sgd",
        states(10, rank, rank, 10 * rank));
  }

  static ReplicaPart with(ReplicaPart part, Role role) {
    return with(part, role, part.model().slices());
  }

  static ReplicaPart with(ReplicaPart part, List<Slice> slices) {
    return with(part, part.role(), slices);
  }

  private static ReplicaPart with(ReplicaPart part, Role role, List<Slice> slices) {
    return new ReplicaPart(
        role,
        part.quiet(),
        part.isCurrent(),
        part.position(),
        with(part.model(), part.model().kind(), slices),
        part.sums(),
        part.optimiser(),
        part.exchangeStates());
  }

  private static SavedVectors with(SavedVectors model, SavedVectors.Kind kind, List<Slice> slices) {
    return new SavedVectors(kind, model.length(), model.range(), slices);
  }

  private static SavedPosition position(long rounds, int endedEpochs, boolean isOpen) {
    return new SavedPosition(
        rounds,
        rounds,
        rounds / 4.0,
        isOpen && endedEpochs > 0 ? OptionalInt.of(endedEpochs - 1) : OptionalInt.empty(),
        endedEpochs);
  }

  private static SortedMap<String, byte[]> states(int length, int clock, int kept, int values) {
    ByteBuffer vector = ByteBuffer.allocate(length * Float.BYTES);
    while (vector.hasRemaining()) {
      vector.putFloat(values);
    }
    SortedMap<String, byte[]> states = new TreeMap<>();
    states.put("clocks", new byte[] {(byte) clock});
    states.put("kept", new byte[] {(byte) kept});
    states.put("residual", vector.array());
    states.put("mean", vector.array());
    return states;
  }

  static StateFormat format(String exchange, int version) {
    return new StateFormat(
        exchange,
        List.of(
            StateKind.ofTheseRanks("clocks", version),
            new StateKind("kept", 1, Rescaling.KEEP),
            new StateKind("residual", 1, Rescaling.SUM),
            new StateKind("mean", 1, Rescaling.MEAN)));
  }

  static Role role(int rank, int ranks, int workers) {
    return role(rank, ranks, workers, 100, "own");
  }

  static Role role(int rank, int ranks, int workers, int batch, String exchange) {
    return new Role(rank, new Roles(ranks, workers), batch, format(exchange, 3));
  }

  static float[][] vectors(int length) {
    float[][] vectors = new float[2][length];
    for (int i = 0; i < length; i++) {
      vectors[0][i] = i + 0.5f;
      vectors[1][i] = -i;
    }
    return vectors;
  }

  static ReplicaPart part(int rank, int ranks, int length, boolean quiet) {
    return part(rank, ranks, length, Range.ofLength(length).part(rank, ranks), true, quiet);
  }

  static ReplicaPart part(
      int rank, int ranks, int length, Range range, boolean isCurrent, boolean quiet) {
    float[][] whole = vectors(length);
    float[][] parts = new float[2][range.length()];
    for (int v = 0; v < 2; v++) {
      System.arraycopy(whole[v], range.start(), parts[v], 0, range.length());
    }
    return new ReplicaPart(
        role(rank, ranks, ranks),
        quiet,
        isCurrent,
        new SavedPosition(12, isCurrent ? 11 : 3, isCurrent ? 2.75 : 0.75, OptionalInt.of(3), 4),
        new SavedVectors(SavedVectors.Kind.SHARE, length, range, slices(parts)),
        new EpochSums(
            (rank + 1) * 10L,
            1,
            5,
            2,
            new FigureValues(4, 5, 6, 0.5, 7 + rank, 8, 9.5, 6),
            rank,
            new Learner.Score(3, 2 + rank, 1.5)),
        "sgd",
        states(length, 7, 1, 2));
  }

  private static List<Slice> slices(float[][] parts) {
    return Arrays.stream(parts).map(part -> Slice.view(part, 0, part.length)).toList();
  }
}
