package dev.braid.chaos.sim.random;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.event.Target;
import dev.braid.chaos.sim.condition.Seeds;
import dev.braid.chaos.sim.condition.SoundLinks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Chaos events that separate ranks from each other completely, for a time. */
public final class Partings {

  /** Links in runs with separated ranks: bandwidths from 1 MB/s on, and latencies up to 2 ms. */
  public static final SoundLinks.Bounds LINKS =
      new SoundLinks.Bounds(10_000, 2_000_000, 1e6, 1e9, 100_000);

  private Partings() {}

  /** Returns an event that cuts all links of a rank. */
  public static List<ChaosEvent> isolate(int rank, long beginMillis, long endMillis) {
    return List.of(event(new Action.Isolate(), new Target.OfRank(rank), beginMillis, endMillis));
  }

  /**
   * Returns events that cut all links between the subtree of the root's left child and the other
   * ranks.
   */
  public static List<ChaosEvent> partLeftSubtree(int ranks, long beginMillis, long endMillis) {
    Map<Boolean, List<Integer>> parts =
        IntStream.range(0, ranks)
            .boxed()
            .collect(Collectors.partitioningBy(Partings::isInLeftSubtree));
    return between(parts.get(false), parts.get(true), beginMillis, endMillis);
  }

  /** Returns events that cut all links between some ranks and others. */
  public static List<ChaosEvent> between(
      List<Integer> some, List<Integer> others, long beginMillis, long endMillis) {
    List<ChaosEvent> cuts = new ArrayList<>();
    for (int one : some) {
      for (int other : others) {
        Target link = new Target.OfLink(new Link(one, other), false);
        cuts.add(event(new Action.Cut(), link, beginMillis, endMillis));
      }
    }
    return cuts;
  }

  private static boolean isInLeftSubtree(int rank) {
    int ancestor = rank;
    while (ancestor > 2) {
      ancestor = (ancestor - 1) / 2;
    }
    return ancestor == 1;
  }

  /**
   * Returns random isolations of ranks, also of two at once or repeatedly, and separations of
   * subtrees.
   */
  public static List<ChaosEvent> random(long seed, int ranks, long horizonMillis) {
    SplittableRandom random = Seeds.of(seed, -40);
    List<ChaosEvent> events = new ArrayList<>();
    int count = random.nextInt(1, 5);
    for (int i = 0; i < count; i++) {
      long begin = Seeds.between(random, 0, horizonMillis);
      long end = begin + Seeds.between(random, 10, horizonMillis / 2);
      int rank = random.nextInt(ranks);
      switch (random.nextInt(5)) {
        case 0 -> events.addAll(partLeftSubtree(ranks, begin, end));
        case 1 -> {
          events.addAll(isolate(rank, begin, end));
          events.addAll(isolate(random.nextInt(ranks), begin, end));
        }
        case 2 -> {
          long period = Seeds.between(random, 50, 2_000);
          int times = random.nextInt(2, 6);
          for (int n = 0; n < times; n++) {
            long begins = begin + n * period;
            events.addAll(isolate(rank, begins, begins + period * 3 / 4));
          }
        }
        default -> events.addAll(isolate(rank, begin, end));
      }
    }
    return events;
  }

  private static ChaosEvent event(Action action, Target target, long beginMillis, long endMillis) {
    return ChaosEvent.of(action, target)
        .withStart(new Start.After(beginMillis))
        .withDuration(endMillis - beginMillis);
  }
}
