package dev.braid.chaos.sim.check;

import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.exchange.Update;
import dev.braid.vector.Range;
import dev.braid.vector.Vectors;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Records the sums of all rounds in their latest version, and which gradients count in them, for a
 * comparison at the end. A round may be completed again, without a rank that has completed it
 * before.
 */
public final class CountedGradients implements UpdateCheck {
  private final Map<Long, float[]> sums = new TreeMap<>();
  private final Map<Integer, Set<Long>> counted = new TreeMap<>();
  private final int length;

  /** Creates a check for sums of this length. */
  public CountedGradients(int length) {
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

  @Override
  public Runnable saved(int rank) {
    Set<Long> ofRank = Set.copyOf(counted.getOrDefault(rank, Set.of()));
    return () -> counted.put(rank, new TreeSet<>(ofRank));
  }

  /** Returns whether a rank's gradient counts in a round. */
  public boolean isCounted(int rank, long round) {
    return counted.getOrDefault(rank, Set.of()).contains(round);
  }

  /** Returns the total of the sums of all rounds. */
  public float[] sums() {
    float[] sum = new float[length];
    sums.values().forEach(one -> Vectors.add(sum, one, Range.ofLength(length)));
    return sum;
  }

  /** Returns the total of the gradients that count. */
  public float[] computed(Gradients gradients) {
    float[] sum = new float[length];
    counted.forEach(
        (rank, rounds) ->
            rounds.forEach(
                round ->
                    Vectors.add(
                        sum, gradients.of(rank, round).gradient(), Range.ofLength(length))));
    return sum;
  }

  /** Returns the number of gradients that count. */
  public int count() {
    return counted.values().stream().mapToInt(Set::size).sum();
  }
}
