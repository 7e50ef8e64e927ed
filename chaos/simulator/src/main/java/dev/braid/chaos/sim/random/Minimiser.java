package dev.braid.chaos.sim.random;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Shrinks a run that fails to the features, ranks and events without which it does not fail. */
final class Minimiser {

  private final Function<RunChoice, ? extends RandomRun> runs;

  /**
   * Creates a minimiser.
   *
   * @param runs creates a run, which is not executed yet
   */
  Minimiser(Function<RunChoice, ? extends RandomRun> runs) {
    this.runs = runs;
  }

  /** Returns a part of a run that fails. It fails as well, and no smaller part that was tried. */
  RunChoice minimise(RunChoice failing) {
    RunChoice before = failing;
    RunChoice least = fewerRanks(fewerFeatures(failing));
    // Without some events, other features may be needless.
    while (!least.equals(before)) {
      before = least;
      least = fewerEvents(fewerFeatures(before));
    }
    return least;
  }

  private RunChoice fewerFeatures(RunChoice failing) {
    List<Feature> all = List.copyOf(failing.features());
    List<Feature> least = least(all, some -> fails(withOnly(failing, all, some)));
    return withOnly(failing, all, least);
  }

  private static RunChoice withOnly(RunChoice run, List<Feature> all, List<Feature> some) {
    return run.without(all.stream().filter(feature -> !some.contains(feature)).toList());
  }

  private RunChoice fewerRanks(RunChoice failing) {
    RandomRun run = runs.apply(failing);
    return IntStream.range(run.kind().leastRanks(), run.ranks())
        .mapToObj(failing::withRanks)
        .filter(this::fails)
        .findFirst()
        .orElse(failing);
  }

  private RunChoice fewerEvents(RunChoice failing) {
    List<Integer> all = List.copyOf(runs.apply(failing).chosen());
    return failing.withOnly(least(all, some -> fails(failing.withOnly(some))));
  }

  private boolean fails(RunChoice choice) {
    return runs.apply(choice).failure().isPresent();
  }

  /**
   * Returns items without any of which the rest would not fail. Removes large parts first, as delta
   * debugging does.
   *
   * @param all items that fail
   */
  private static <T> List<T> least(List<T> all, Predicate<List<T>> fails) {
    List<T> left = all;
    for (int part = all.size(); part > 0; part = part == 1 ? 0 : (part + 1) / 2) {
      int from = 0;
      while (from < left.size()) {
        List<T> rest = new ArrayList<>(left.subList(0, from));
        rest.addAll(left.subList(Math.min(from + part, left.size()), left.size()));
        if (fails.test(rest)) {
          left = rest;
        } else {
          from += part;
        }
      }
    }
    return left;
  }
}
