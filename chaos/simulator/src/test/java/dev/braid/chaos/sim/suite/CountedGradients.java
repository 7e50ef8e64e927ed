package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.Simulation;
import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.exchange.Update;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The sums of all rounds as they were completed last, and which gradients count in them. A round
 * may be completed again, without a rank that has completed it before.
 */
final class CountedGradients implements UpdateCheck {
  private final Map<Long, float[]> sums = new TreeMap<>();
  private final Map<Integer, Set<Long>> counted = new TreeMap<>();
  private final int length;

  CountedGradients(int length) {
    this.length = length;
  }

  @Override
  public void updated(int rank, long round, Update update) {
    if (update instanceof Update.GradientSum step) {
      sums.put(round, step.values().toArray());
    }
  }

  @Override
  public void completed(int rank, long round) {
    counted.computeIfAbsent(rank, its -> new TreeSet<>()).add(round);
  }

  @Override
  public void setBack(int rank, long round) {
    counted.get(rank).remove(round);
  }

  float[] sums() {
    float[] sum = new float[length];
    sums.values().forEach(one -> Vectors.add(sum, one, Range.ofLength(length)));
    return sum;
  }

  float[] computed(Simulation simulation) {
    float[] sum = new float[length];
    counted.forEach(
        (rank, rounds) ->
            rounds.forEach(
                round ->
                    Vectors.add(
                        sum,
                        simulation.gradients().of(rank, round).gradient(),
                        Range.ofLength(length))));
    return sum;
  }

  int count() {
    return counted.values().stream().mapToInt(Set::size).sum();
  }
}
