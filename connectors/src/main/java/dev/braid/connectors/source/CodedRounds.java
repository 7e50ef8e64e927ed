package dev.braid.connectors.source;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.Piece;
import dev.braid.learner.Batch;
import dev.braid.learner.Combination;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One worker's batches where rounds are computed redundantly (CodedReduce, Algorithm 1): a round's
 * samples are those of one batch of each share, in the order of the shares, and each worker takes
 * the pieces of them that the {@link Allocation} gives it. So a round has the samples that it would
 * have without redundancy.
 */
final class CodedRounds {

  private final CodeTree codes;
  private final int worker;

  /** Makes batches of the samples of some ids. */
  @FunctionalInterface
  interface Batches {
    Batch of(int epoch, int[] ids, boolean lastOfEpoch);
  }

  /** By how many samples a round has: few numbers, as only an epoch's last rounds have fewer. */
  private final Map<Integer, List<Piece>> pieces = new HashMap<>();

  /**
   * Those of one worker.
   *
   * @param worker whose they are: the number of its share, and its place in the tree
   */
  CodedRounds(CodeTree codes, int worker) {
    this.codes = codes;
    this.worker = worker;
  }

  /** The same worker's by a tree, which may be another. */
  CodedRounds by(CodeTree others) {
    return others == codes ? this : new CodedRounds(others, worker);
  }

  /**
   * What the worker computes of a round.
   *
   * @param shares ids of the round's samples, by share
   */
  Batch batch(Batches samples, int epoch, List<int[]> shares, boolean lastOfEpoch) {
    int[] round = shares.stream().flatMapToInt(Arrays::stream).toArray();
    List<Piece> own = pieces.computeIfAbsent(round.length, this::pieces);
    int size = own.stream().mapToInt(Piece::size).sum();
    int[] ids = new int[size];
    float[] coefficients = new float[size];
    int filled = 0;
    for (Piece piece : own) {
      System.arraycopy(round, piece.start(), ids, filled, piece.size());
      Arrays.fill(coefficients, filled, filled + piece.size(), (float) piece.coefficient());
      filled += piece.size();
    }
    return samples
        .of(epoch, ids, lastOfEpoch)
        .combined(new Combination(coefficients, shares.get(worker), round.length));
  }

  private List<Piece> pieces(int roundSamples) {
    return roundSamples == 0 ? List.of() : new Allocation(codes, roundSamples).of(worker);
  }

  /** The rounds of a worker, if they are computed redundantly at all. */
  static Optional<CodedRounds> of(RoundSharing sharing, int workers, int worker) {
    return sharing.codes(workers).map(codes -> new CodedRounds(codes, worker));
  }
}
