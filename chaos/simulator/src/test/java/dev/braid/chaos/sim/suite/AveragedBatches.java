package dev.braid.chaos.sim.suite;

import dev.braid.chaos.sim.check.UpdateCheck;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Update;
import dev.braid.exchange.participation.View;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Records which batches are in which average of an averaging in views. */
final class AveragedBatches implements UpdateCheck {

  /** An event of a rank. */
  private sealed interface Event {}

  /** The rank trains on a batch. */
  private record Trained(int batch) implements Event {}

  /** The rank's weights are replaced by an average. */
  private record Applied() implements Event {}

  /** A view begins whose model the rank lacks. */
  private record Left(long view) implements Event {}

  /** The rank rejoins, with the model with which a view begins. */
  private record Rejoined(long view) implements Event {}

  private final List<List<Event>> events = new ArrayList<>();
  private final List<BitSet> counted = new ArrayList<>();
  private final long[] view;
  private final BitSet isCurrent = new BitSet();

  AveragedBatches(int ranks) {
    this.view = new long[ranks];
    this.isCurrent.set(0, ranks);
    for (int rank = 0; rank < ranks; rank++) {
      events.add(new ArrayList<>());
      counted.add(new BitSet());
    }
  }

  @Override
  public void contributing(int rank, Contribution contribution) {
    events.get(rank).add(new Trained((int) contribution.round()));
  }

  @Override
  public void updated(int rank, long round, Update update) {
    if (update instanceof Update.Replacement) {
      events.get(rank).add(new Applied());
    }
  }

  @Override
  public void caughtUp(int rank, long round) {
    List<Event> ofRank = events.get(rank);
    ofRank.set(ofRank.size() - 1, new Rejoined(view[rank]));
    isCurrent.set(rank);
  }

  @Override
  public void entered(int rank, View next) {
    view[rank] = next.number();
    if (isCurrent.get(rank) && !next.current().contains(rank)) {
      isCurrent.clear(rank);
      events.get(rank).add(new Left(next.number()));
    }
  }

  @Override
  public void counts(int rank, long round) {
    check(!counted.get(rank).get((int) round), rank, "its batch " + round + " counts twice");
    counted.get(rank).set((int) round);
  }

  /** Returns the number of batches that count. */
  long counted() {
    return counted.stream().mapToLong(BitSet::cardinality).sum();
  }

  /**
   * Returns the batches by average and rank. Fails if a batch counts that is in no average, or the
   * other way round.
   *
   * @param views all views of the run, by number
   */
  List<List<List<Integer>>> batches(List<View> views) {
    List<SortedMap<Long, List<Integer>>> byRank =
        IntStream.range(0, events.size()).mapToObj(rank -> ofRank(rank, views)).toList();
    long averages =
        byRank.stream().mapToLong(its -> its.isEmpty() ? 0 : its.lastKey() + 1).max().orElse(0);
    List<List<List<Integer>>> all = new ArrayList<>();
    for (long average = 0; average < averages; average++) {
      long number = average;
      all.add(byRank.stream().map(its -> its.getOrDefault(number, List.of())).toList());
    }
    return all;
  }

  private SortedMap<Long, List<Integer>> ofRank(int rank, List<View> views) {
    SortedMap<Long, List<Integer>> averages = new TreeMap<>();
    List<Integer> open = new ArrayList<>();
    long next = 0;
    for (Event event : events.get(rank)) {
      if (event instanceof Trained trained) {
        open.add(trained.batch());
      } else if (event instanceof Applied) {
        averages.put(next++, List.copyOf(open));
        open.clear();
      } else if (event instanceof Left left) {
        long round = views.get((int) left.view()).round();
        if (round > next) {
          // The others' sum contains the rank's contribution.
          averages.put(next, List.copyOf(open));
          open.clear();
        } else if (round < next) {
          // The others repeat the rank's last average.
          check(round == next - 1, rank, "goes back from " + next + " averages to " + round);
          open.addAll(0, averages.remove(round));
        }
      } else if (event instanceof Rejoined rejoined) {
        next = views.get((int) rejoined.view()).round();
      }
    }
    BitSet used = new BitSet();
    averages.values().forEach(batches -> batches.forEach(used::set));
    check(open.isEmpty(), rank, "batches " + open + " are in no average");
    check(
        used.equals(counted.get(rank)),
        rank,
        "averages have batches " + used + ", but " + counted.get(rank) + " count");
    averages.forEach(
        (average, batches) ->
            check(
                viewOf(average, views).contains(rank),
                rank,
                "contributes to average " + average + " of " + viewOf(average, views)));
    return averages;
  }

  /** Returns the view in which an average was completed for the last time. */
  private static View viewOf(long average, List<View> views) {
    return views.stream()
        .filter(it -> it.round() <= average)
        .reduce((one, two) -> two)
        .orElseThrow();
  }

  private static void check(boolean holds, int rank, String otherwise) {
    if (!holds) {
      throw new IllegalStateException("rank " + rank + ": " + otherwise);
    }
  }
}
