package dev.braid.chaos.sim.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.Update;
import dev.braid.exchange.Update.GradientSum;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks that each round's sum is the same at all ranks, and the sum of a given number of
 * gradients, of exactly those ranks whose gradients are reported to count.
 */
final class FirstSums implements UpdateCheck {

  private final Gradients gradients;
  private final int ranks;
  private final int count;
  private final Map<Long, float[]> sums = new TreeMap<>();
  private final Map<Long, Set<Integer>> counted = new TreeMap<>();

  FirstSums(Gradients gradients, int ranks, int count) {
    this.gradients = gradients;
    this.ranks = ranks;
    this.count = count;
  }

  @Override
  public void updated(int rank, long round, Update update) {
    GradientSum sum = (GradientSum) update;
    float[] values = sum.values().toArray();
    assertThat(sum.samples()).isEqualTo(count);
    assertThat(sums.computeIfAbsent(round, key -> values)).isEqualTo(values);
  }

  @Override
  public void completed(int rank, long round) {
    counted.computeIfAbsent(round, key -> new TreeSet<>()).add(rank);
  }

  /** Checks the end of a run. */
  void finish(int rounds) {
    assertThat(sums).hasSize(rounds);
    sums.forEach(
        (round, sum) -> {
          Set<Integer> own = counted.get(round);
          assertThat(own).hasSize(count).allMatch(rank -> rank < ranks);
          float[] expected = new float[sum.length];
          for (int rank : own) {
            float[] gradient = gradients.of(rank, round).gradient();
            for (int i = 0; i < sum.length; i++) {
              expected[i] += gradient[i];
            }
          }
          assertThat(sum).isEqualTo(expected);
        });
  }
}
