package dev.braid.exchange.allreduce;

import dev.braid.exchange.collective.Collective;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.List;

/**
 * The operations that a round is made of.
 *
 * @param start begins the first of them with this rank's gradient and its samples
 * @param operations one for each phase; each begins the next with what is final in it
 */
public record Phases(Start start, List<Collective> operations) {

  @FunctionalInterface
  public interface Start {
    void begin(float[] gradient, long samples);
  }

  /** Of a rank that is alone: {@link AllreduceRound} takes its gradient as the sum, uncopied. */
  static Phases ofOne(Range vector, Collective.Completion completion) {
    return new Phases((gradient, samples) -> completion.complete(vector, samples), List.of());
  }

  /** Hands a sum to the operation of its phase. */
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

  /** Forgets what operations have of the round under way. */
  public void rollBack() {
    operations.forEach(Collective::rollBack);
  }
}
