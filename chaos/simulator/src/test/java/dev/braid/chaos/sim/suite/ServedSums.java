package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Update;
import dev.braid.exchange.Update.GradientSum;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Checks the guarantees of synchronous parameter servers, and of ranks that serve a shard each. In
 * every round the server of an element takes one step along the element's sum over all workers,
 * over all their samples. A worker that has completed a round has been sent all elements.
 */
final class ServedSums implements UpdateCheck {

  private final Gradients gradients;
  private final int workers;
  private final ServedRanges ranges;

  /** By element: the next round whose sum is due. */
  private final long[] next;

  /** By round: the sum of the workers' gradients, in the order of the exchange, and its samples. */
  private final List<Contribution> sums = new ArrayList<>();

  /** Creates the check of a run. */
  ServedSums(Gradients gradients, ServedRanges ranges) {
    this.gradients = gradients;
    this.workers = ranges.workers();
    this.ranges = ranges;
    this.next = new long[ranges.length()];
  }

  @Override
  public void updated(int rank, long round, Update update) {
    if (update instanceof GradientSum sum) {
      ranges.check(rank, sum.range());
      float[] values = sum.values().toArray();
      for (int i = 0; i < values.length; i++) {
        checkElement(rank, sum.range().start() + i, values[i], sum.samples());
      }
    } else if (ranges.of(rank).start() < update.range().end()
        && update.range().start() < ranges.of(rank).end()) {
      throw new IllegalStateException("server " + rank + " is sent " + update.range());
    }
  }

  private void checkElement(int rank, int element, float value, long samples) {
    while (sum(next[element]).samples() == 0) {
      next[element]++;
    }
    Contribution sum = sum(next[element]++);
    if (sum.samples() != samples || sum.gradient()[element] != value) {
      throw new IllegalStateException(
          "server %d steps %s over %d samples at element %d in round %d, not %s over %d"
              .formatted(
                  rank,
                  value,
                  samples,
                  element,
                  next[element] - 1,
                  sum.gradient()[element],
                  sum.samples()));
    }
  }

  private Contribution sum(long round) {
    while (sums.size() <= round) {
      sums.add(plainSum(sums.size()));
    }
    return sums.get((int) round);
  }

  private Contribution plainSum(long round) {
    float[] sum = new float[next.length];
    long samples = 0;
    List<Contribution> all =
        IntStream.range(0, workers).mapToObj(rank -> gradients.of(rank, round)).toList();
    for (Contribution one : all) {
      samples += one.samples();
    }
    for (int i = 0; i < sum.length; i++) {
      int first = ranges.first(i);
      for (int j = 0; j < workers; j++) {
        float value = all.get((first + j) % workers).gradient()[i];
        sum[i] = j == 0 ? value : sum[i] + value;
      }
    }
    return new Contribution(round, sum, samples);
  }

  @Override
  public Runnable saved(int rank) {
    Range own = ranges.of(rank);
    long[] rounds = Arrays.copyOfRange(next, own.start(), own.end());
    return () -> System.arraycopy(rounds, 0, next, own.start(), rounds.length);
  }

  @Override
  public void completed(int rank, long round) {
    for (int i = 0; i < next.length; i++) {
      boolean stepped = next[i] > round;
      for (long missing = next[i]; !stepped && missing <= round; missing++) {
        if (sum(missing).samples() > 0) {
          throw new IllegalStateException(
              "rank %d completes round %d, and element %d is at round %d"
                  .formatted(rank, round, i, next[i]));
        }
      }
    }
  }
}
