package dev.braid.chaos.event;

import dev.braid.chaos.event.Schedule.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Draws faults one by one, and remembers the cuts, since they may exclude others. */
final class FaultDraw {

  /**
   * Margin after a cut, in ms, since a cut in a live run begins and ends a little earlier or later
   * than scheduled.
   */
  private static final long LATENESS_MILLIS = 250;

  private static final long MAX_LATE_MILLIS = 20;
  private static final double MAX_LOSS = 0.3;
  private static final int MAX_SLOWDOWN = 4;
  private static final long MIN_BYTES_PER_SECOND = 100_000;
  private static final long MAX_BYTES_PER_SECOND = 1_100_000;

  /** A cut of one direction of a link, from the beginning until before the end. */
  private record TimedCut(Link link, long beginMillis, long endMillis) {

    boolean isActive(long millis) {
      return beginMillis <= millis && millis < endMillis;
    }

    boolean overlaps(TimedCut other) {
      return beginMillis < other.endMillis && other.beginMillis < endMillis;
    }
  }

  private final Faults faults;
  private final int ranks;
  private final SplittableRandom random;
  private final Overlay overlay;
  private final List<Link> links;
  private final List<TimedCut> cuts = new ArrayList<>();

  FaultDraw(Faults faults, int ranks, SplittableRandom random) {
    this.faults = faults;
    this.ranks = ranks;
    this.random = random;
    this.overlay = new Overlay(ranks);
    this.links =
        switch (faults) {
          case CUTS -> Target.Among.TREE.links(ranks);
          case ONE_CUT, PATH_LEFT -> overlay.links();
          case ANY -> Target.Among.ALL.links(ranks);
        };
  }

  /** Returns a fault for this time; empty if it is a cut that is not allowed. */
  Optional<ChaosEvent> next(long beginMillis, long endMillis) {
    cuts.removeIf(cut -> cut.endMillis <= beginMillis);
    if (faults == Faults.CUTS) {
      return Optional.of(cut(beginMillis, endMillis + LATENESS_MILLIS));
    }
    Link link = links.get(random.nextInt(links.size()));
    Action action = action();
    if (action.concernsRanks()) {
      return Optional.of(ChaosEvent.of(action, new Target.OfRank(random.nextInt(ranks))));
    }
    boolean oneWay = faults != Faults.ONE_CUT && random.nextBoolean();
    Target target = new Target.OfLink(random.nextBoolean() ? link : link.back(), oneWay);
    boolean allowed = !(action instanceof Action.Cut) || isAllowed(target, beginMillis, endMillis);
    return allowed ? Optional.of(ChaosEvent.of(action, target)) : Optional.empty();
  }

  /**
   * Returns a cut that leaves a path. There is such a link, since at most one of the root's two
   * links is cut.
   */
  private ChaosEvent cut(long beginMillis, long endMillis) {
    Target target = new Target.OfLink(links.get(random.nextInt(links.size())), false);
    while (!isAllowed(target, beginMillis, endMillis)) {
      target = new Target.OfLink(links.get(random.nextInt(links.size())), false);
    }
    return ChaosEvent.of(new Action.Cut(), target);
  }

  private Action action() {
    return switch (random.nextInt(12)) {
      case 0 -> new Action.Drop(probability() * MAX_LOSS);
      case 1 -> new Action.Corrupt(probability() * MAX_LOSS);
      case 2 -> new Action.Duplicate(probability());
      case 3 -> new Action.Reorder(probability(), 1 + random.nextLong(MAX_LATE_MILLIS));
      case 4 ->
          new Action.Delay(random.nextLong(MAX_LATE_MILLIS), random.nextLong(MAX_LATE_MILLIS));
      case 5 -> new Action.Throttle(random.nextLong(MIN_BYTES_PER_SECOND, MAX_BYTES_PER_SECOND));
      case 6 -> new Action.Straggle(1 + random.nextInt(1, MAX_SLOWDOWN));
      default -> new Action.Cut();
    };
  }

  /** Returns a random number above 0, up to 1. */
  private double probability() {
    return 1 - random.nextDouble();
  }

  private boolean isAllowed(Target target, long beginMillis, long endMillis) {
    List<TimedCut> drawn =
        linksOf(target).stream().map(link -> new TimedCut(link, beginMillis, endMillis)).toList();
    boolean allowed =
        switch (faults) {
          case ANY -> true;
          case CUTS -> ranks == 2 || leavesAPath(drawn);
          case ONE_CUT -> cuts.stream().noneMatch(drawn.get(0)::overlaps);
          case PATH_LEFT -> leavesAPath(drawn);
        };
    if (allowed) {
      cuts.addAll(drawn);
    }
    return allowed;
  }

  private List<Link> linksOf(Target target) {
    try {
      return target.links(ranks);
    } catch (InvalidEventException e) {
      throw new IllegalStateException("drawn among " + ranks + " ranks: " + e.getMessage(), e);
    }
  }

  private boolean leavesAPath(List<TimedCut> drawn) {
    List<TimedCut> all = new ArrayList<>(cuts);
    all.addAll(drawn);
    // Connectivity changes only where a cut begins or ends, and decreases only where one begins.
    return all.stream()
        .mapToLong(TimedCut::beginMillis)
        .filter(drawn.get(0)::isActive)
        .distinct()
        .allMatch(
            moment ->
                overlay.isConnected(
                    all.stream()
                        .filter(cut -> cut.isActive(moment))
                        .map(TimedCut::link)
                        .collect(Collectors.toSet())));
  }
}
