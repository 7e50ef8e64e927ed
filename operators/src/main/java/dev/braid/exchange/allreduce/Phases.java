package dev.braid.exchange.allreduce;

import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.List;

/**
 * The operations of a round.
 *
 * @param start begins the first operation with this rank's gradient and its number of samples
 * @param operations one operation per phase; each begins the next with its finished chunks
 */
public record Phases(Start start, List<Collective> operations) {

  @FunctionalInterface
  public interface Start {
    void begin(float[] gradient, long samples);
  }

  /** Returns the phases of a single rank, whose gradient {@link AllreduceRound} uses as the sum. */
  static Phases ofOne(Range vector, Collective.Completion completion) {
    return new Phases((gradient, samples) -> completion.complete(vector, samples), List.of());
  }

  /**
   * Passes a sum to the operation of its phase.
   *
   * @throws IllegalArgumentException if there is no such phase or the sum lacks its values
   */
  public void receive(int from, Sum sum) {
    if (sum.phase() >= operations.size()) {
      throw new IllegalArgumentException(
          "sum of phase " + sum.phase() + ": must be less than " + operations.size());
    }
    if (sum.payload().length() != sum.range().length()) {
      throw new IllegalArgumentException(
          "sum over " + sum.range() + ": must have one value for each element");
    }
    operations.get(sum.phase()).receive(from, sum);
  }

  /** Discards the operations' data of the current round. */
  public void rollBack() {
    operations.forEach(Collective::rollBack);
  }
}
