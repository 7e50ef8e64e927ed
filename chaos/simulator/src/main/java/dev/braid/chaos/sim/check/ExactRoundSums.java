package dev.braid.chaos.sim.check;

import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Update;
import dev.braid.exchange.Update.GradientSum;
import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Checks the guarantee of synchronous allreduce: in every round every rank gets the sum over all
 * ranks, each element once, over all their samples; or nothing, if no rank had a sample.
 */
public final class ExactRoundSums implements UpdateCheck {

  /** Greatest error of a sum that is decoded with coefficients that are not whole numbers. */
  private static final float MOST_ERROR = 0.25f;

  private enum Expected {
    /** Sums have the bits of a plain loop. */
    EXACT,
    /** All ranks have the same bits, close to the sum of a plain loop. */
    CLOSE,
    /** All ranks have the same bits. */
    AGREEING
  }

  private final Gradients gradients;
  private final int ranks;
  private final Expected expected;
  private final Map<Long, Round> rounds = new HashMap<>();

  private ExactRoundSums(Gradients gradients, int ranks, Expected expected) {
    this.gradients = gradients;
    this.ranks = ranks;
    this.expected = expected;
  }

  /**
   * Returns a check that sums are those of a plain loop: for gradients whose sums are exact in any
   * order.
   */
  public static ExactRoundSums exact(Gradients gradients, int ranks) {
    return new ExactRoundSums(gradients, ranks, Expected.EXACT);
  }

  /**
   * Returns a check that sums have the same bits at all ranks, and are those of a plain loop except
   * for rounding errors of decoding: for whole numbers.
   */
  public static ExactRoundSums close(Gradients gradients, int ranks) {
    return new ExactRoundSums(gradients, ranks, Expected.CLOSE);
  }

  /** Returns a check that sums have the same bits at all ranks: for any gradients. */
  public static ExactRoundSums agreeing(Gradients gradients, int ranks) {
    return new ExactRoundSums(gradients, ranks, Expected.AGREEING);
  }

  @Override
  public void updated(int rank, long number, Update update) {
    if (rank >= ranks) {
      // The rank is a root that computes nothing. Its model is compared at the end.
      return;
    }
    if (!(update instanceof GradientSum sum)) {
      throw new IllegalStateException(
          "rank " + rank + " in round " + number + ": " + update + " is not a gradient sum");
    }
    round(number).check(rank, number, sum);
  }

  @Override
  public void completed(int rank, long number) {
    Round round = round(number);
    int length = round.samples == 0 ? 0 : round.sum.length;
    if (round.covered[rank] != length) {
      throw new IllegalStateException(
          "rank %d completed round %d with %d elements summed, not %d"
              .formatted(rank, number, round.covered[rank], length));
    }
    if (++round.completed == ranks) {
      rounds.remove(number);
    }
  }

  /** Forgets all rounds: those that some ranks have completed, and not all, come again for all. */
  @Override
  public void restored(int rank) {
    rounds.clear();
  }

  private Round round(long number) {
    return rounds.computeIfAbsent(number, Round::new);
  }

  private final class Round {
    private final float[] sum;

    private final float[] plain;

    /** Elements of the sum that are known; all of them from the start, if sums are exact. */
    private final BitSet known = new BitSet();

    private final int[] covered = new int[ranks];
    private long samples;
    private int completed;

    Round(long number) {
      Contribution[] all =
          IntStream.range(0, ranks)
              .mapToObj(rank -> gradients.of(rank, number))
              .toArray(Contribution[]::new);
      sum = new float[all[0].gradient().length];
      for (Contribution contribution : all) {
        samples += contribution.samples();
        for (int i = 0; i < sum.length; i++) {
          sum[i] += contribution.gradient()[i];
        }
      }
      plain = sum.clone();
      if (expected == Expected.EXACT) {
        known.set(0, sum.length);
      }
    }

    void check(int rank, long number, GradientSum update) {
      if (update.samples() != samples) {
        throw new IllegalStateException(
            "rank %d in round %d: a sum over %d samples, not %d"
                .formatted(rank, number, update.samples(), samples));
      }
      Range range = update.range();
      float[] values = update.values().toArray();
      learn(range, values);
      int wrong = Arrays.mismatch(sum, range.start(), range.end(), values, 0, range.length());
      if (wrong >= 0) {
        throw new IllegalStateException(
            "rank %d in round %d: element %d of the sum is %s, not %s"
                .formatted(
                    rank,
                    number,
                    range.start() + wrong,
                    values[wrong],
                    sum[range.start() + wrong]));
      }
      covered[rank] += range.length();
    }

    private void learn(Range range, float[] values) {
      for (int i = known.nextClearBit(range.start()); i < range.end(); i = known.nextClearBit(i)) {
        known.set(i);
        sum[i] = values[i - range.start()];
        if (expected == Expected.CLOSE && !(Math.abs(sum[i] - plain[i]) <= MOST_ERROR)) {
          throw new IllegalStateException(
              "element %d of a sum is %s, not about %s".formatted(i, sum[i], plain[i]));
        }
      }
    }
  }
}
