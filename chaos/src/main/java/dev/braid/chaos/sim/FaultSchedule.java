package dev.braid.chaos.sim;

import dev.braid.chaos.sim.LinkFault.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random faults on the links of a backup tree, from a seed. All of them end: what comes after is
 * the test whether anything stays stuck.
 *
 * @param faults in the order in which they were drawn
 * @param seed of what happens with a probability
 */
public record FaultSchedule(List<LinkFault> faults, long seed) {

  private static final long MICROS = 1_000;
  private static final long MAX_LATE_NANOS = 20_000 * MICROS;

  /** Which cuts are drawn. */
  public enum Cuts {
    /** Both ways of one link at a time. */
    ONE_AT_A_TIME,
    /** One way or both of any, as long as every rank has a way to every other. */
    WITH_A_PATH_LEFT
  }

  public FaultSchedule {
    faults = List.copyOf(faults);
  }

  /** Faults among this many ranks within a time, a few to a few times as many as links. */
  public static FaultSchedule random(long seed, int ranks, long horizonNanos, Cuts cuts) {
    SplittableRandom random = Seeds.of(seed, -20);
    Overlay overlay = new Overlay(ranks);
    List<LinkFault> faults = new ArrayList<>();
    int count = overlay.pairs().isEmpty() ? 0 : 1 + random.nextInt(2 * overlay.pairs().size());
    for (int i = 0; i < count; i++) {
      Overlay.Pair pair = overlay.pairs().get(random.nextInt(overlay.pairs().size()));
      long begin = Seeds.between(random, 0, horizonNanos);
      long end = Seeds.between(random, begin, horizonNanos);
      Effect effect = effect(random);
      boolean both = cuts == Cuts.ONE_AT_A_TIME || random.nextBoolean();
      boolean upwards = random.nextBoolean();
      List<LinkFault> drawn = new ArrayList<>();
      if (both || upwards) {
        drawn.add(new LinkFault(pair.high(), pair.low(), begin, end, effect));
      }
      if (both || !upwards) {
        drawn.add(new LinkFault(pair.low(), pair.high(), begin, end, effect));
      }
      if (!(effect instanceof Effect.Cut) || isAllowed(faults, drawn, overlay, cuts)) {
        faults.addAll(drawn);
      }
    }
    return new FaultSchedule(faults, seed);
  }

  /** These faults on top of other links. */
  public LinkModel on(LinkModel links) {
    return new FaultyLinks(links, seed, faults);
  }

  private static Effect effect(SplittableRandom random) {
    return switch (random.nextInt(9)) {
      case 0 -> new Effect.Drop(random.nextDouble() * 0.3);
      case 1 -> new Effect.Duplicate(random.nextDouble(), MAX_LATE_NANOS);
      case 2 -> new Effect.Reorder(random.nextDouble(), MAX_LATE_NANOS);
      case 3 -> new Effect.Delay(Seeds.between(random, 0, MAX_LATE_NANOS));
      case 4 -> new Effect.Throttle(1e5 + random.nextDouble() * 1e6);
      default -> new Effect.Cut();
    };
  }

  private static boolean isAllowed(
      List<LinkFault> faults, List<LinkFault> drawn, Overlay overlay, Cuts cuts) {
    List<LinkFault> cut =
        new ArrayList<>(faults.stream().filter(f -> f.effect() instanceof Effect.Cut).toList());
    if (cuts == Cuts.ONE_AT_A_TIME) {
      return cut.stream().noneMatch(f -> f.overlaps(drawn.get(0)));
    }
    cut.addAll(drawn);
    LinkFault added = drawn.get(0);
    // Who is cut from whom changes only where a fault begins, and for the worse only in these.
    return cut.stream()
        .mapToLong(LinkFault::beginNanos)
        .filter(added::isActive)
        .distinct()
        .allMatch(moment -> overlay.isConnected(cutAt(moment, cut, overlay.ranks())));
  }

  private static boolean[][] cutAt(long nanos, List<LinkFault> cuts, int ranks) {
    boolean[][] cut = new boolean[ranks][ranks];
    for (LinkFault fault : cuts) {
      if (fault.isActive(nanos)) {
        cut[fault.from()][fault.to()] = true;
      }
    }
    return cut;
  }
}
