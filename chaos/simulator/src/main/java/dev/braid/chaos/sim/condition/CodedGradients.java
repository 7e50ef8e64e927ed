package dev.braid.chaos.sim.condition;

import dev.braid.coding.Allocation;
import dev.braid.coding.CodeTree;
import dev.braid.coding.Piece;
import dev.braid.exchange.Contribution;

/**
 * Contributions of ranks where several ranks compute the samples of each rank, as one sample: the
 * linear combination that the allocation assigns to them.
 */
public record CodedGradients(Gradients own, Allocation allocation, int ranks) implements Gradients {

  /** Returns the gradients of ranks that compute what these codes assign to them. */
  public static Gradients of(Gradients own, CodeTree codes) {
    int ranks = codes.tree().workers();
    return new CodedGradients(own.drawnOnce(), new Allocation(codes, ranks), ranks);
  }

  @Override
  public Contribution of(int rank, long round) {
    float[] sum = new float[own.of(rank, round).gradient().length];
    for (Piece piece : allocation.of(rank)) {
      for (int other = piece.start(); other < piece.end(); other++) {
        float[] gradient = own.of(other, round).gradient();
        for (int i = 0; i < sum.length; i++) {
          sum[i] += (float) (piece.coefficient() * gradient[i]);
        }
      }
    }
    long samples = 0;
    for (int other = 0; other < ranks; other++) {
      samples += own.of(other, round).samples();
    }
    return new Contribution(round, sum, samples);
  }
}
