package dev.braid.worker;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.Piece;
import dev.braid.learner.Batch;
import dev.braid.learner.Combination;
import dev.braid.learner.MatrixSamples;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Batches of random samples for a {@link SmallModel}, always the same for a round. */
final class SmallBatches {

  /** Number of samples in a worker's batch. */
  static final int SIZE = 4;

  private SmallBatches() {}

  /** Returns the batches of a round, one for each worker. */
  static List<Batch> of(int round, int workers) {
    SplittableRandom random = new SplittableRandom(round);
    int count = workers * SIZE;
    float[] features = new float[count * SmallModel.SHAPE.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = random.nextInt(-3, 4);
    }
    int[] labels = random.ints(count, 0, SmallModel.SHAPE.classes()).toArray();
    MatrixSamples samples = new MatrixSamples(features, labels, SmallModel.SHAPE);
    return IntStream.range(0, workers)
        .mapToObj(
            worker ->
                batch(
                    samples, round, IntStream.range(worker * SIZE, (worker + 1) * SIZE).toArray()))
        .toList();
  }

  private static Batch batch(MatrixSamples samples, int round, int[] ids) {
    boolean isLast = round % SmallModel.ROUNDS_PER_EPOCH == SmallModel.ROUNDS_PER_EPOCH - 1;
    return samples.batch(round / SmallModel.ROUNDS_PER_EPOCH, ids, isLast);
  }

  static Batch empty() {
    return of(0, 1).get(0).part(0, 0);
  }

  /** Returns the batches of a round in which several workers compute the same samples. */
  static List<Batch> coded(CodeTree codes, List<Batch> batches) {
    int samples = batches.size() * SIZE;
    float[] features = new float[samples * SmallModel.SHAPE.features()];
    int[] labels = new int[samples];
    for (int worker = 0; worker < batches.size(); worker++) {
      float[] own = batches.get(worker).features().toArray();
      System.arraycopy(own, 0, features, worker * own.length, own.length);
      System.arraycopy(batches.get(worker).labels(), 0, labels, worker * SIZE, SIZE);
    }
    MatrixSamples all = new MatrixSamples(features, labels, SmallModel.SHAPE);
    Allocation allocation = new Allocation(codes, samples);
    return IntStream.range(0, batches.size())
        .mapToObj(worker -> combined(allocation.of(worker), all, batches.get(worker)))
        .toList();
  }

  private static Batch combined(List<Piece> pieces, MatrixSamples all, Batch share) {
    int[] ids =
        pieces.stream()
            .flatMapToInt(piece -> IntStream.range(piece.start(), piece.end()))
            .toArray();
    float[] coefficients = new float[ids.length];
    int filled = 0;
    for (Piece piece : pieces) {
      Arrays.fill(coefficients, filled, filled + piece.size(), (float) piece.coefficient());
      filled += piece.size();
    }
    return all.batch(share.epoch(), ids, share.lastOfEpoch())
        .combined(new Combination(coefficients, share.ids(), all.size()));
  }
}
