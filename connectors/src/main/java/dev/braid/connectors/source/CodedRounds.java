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
 * One worker's batches if rounds are computed redundantly (CodedReduce, Algorithm 1). A round's
 * samples are those of one batch of each share, in the order of the shares. Each worker takes the
 * pieces of them that the {@link Allocation} assigns to it. A round therefore has the same samples
 * as without redundancy.
 */
final class CodedRounds {

  private final CodeTree codes;
  private final int worker;

  /** Creates batches of the samples with some ids. */
  @FunctionalInterface
  interface Batches {
    Batch of(int epoch, int[] ids, boolean lastOfEpoch);
  }

  /**
   * The worker's pieces by the number of samples in a round; there are few such numbers, because
   * only the last rounds of an epoch have fewer samples.
   */
  private final Map<Integer, List<Piece>> pieces = new HashMap<>();

  /**
   * Creates the batches of one worker.
   *
   * @param worker the worker, which is also the number of its share and its position in the tree
   */
  CodedRounds(CodeTree codes, int worker) {
    this.codes = codes;
    this.worker = worker;
  }

  /** Returns the batches of the same worker by another tree. */
  CodedRounds by(CodeTree others) {
    return others == codes ? this : new CodedRounds(others, worker);
  }

  /**
   * Returns the samples that the worker computes in a round, with their coefficients.
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

  /** Returns the rounds of a worker; empty if they are not computed redundantly. */
  static Optional<CodedRounds> of(RoundSharing sharing, int workers, int worker) {
    return sharing.codes(workers).map(codes -> new CodedRounds(codes, worker));
  }
}
