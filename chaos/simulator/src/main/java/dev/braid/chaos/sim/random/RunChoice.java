package dev.braid.chaos.sim.random;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Choice of one random run: a seed, and what is left of the run that it draws.
 *
 * @param seed seed of all draws
 * @param kind kind of run; empty for the drawn one
 * @param without drawn features that the run lacks
 * @param ranks number of ranks; empty for the drawn one
 * @param only numbers of the events that the run has, of those that are drawn; empty for all
 */
record RunChoice(
    long seed,
    Optional<FaultRunKind> kind,
    Set<Feature> without,
    OptionalInt ranks,
    Optional<SortedSet<Integer>> only) {

  /** Returns the whole run of a seed. */
  static RunChoice of(long seed) {
    return new RunChoice(seed, Optional.empty(), Set.of(), OptionalInt.empty(), Optional.empty());
  }

  RunChoice withSeed(long other) {
    return new RunChoice(other, kind, without, ranks, only);
  }

  RunChoice withKind(FaultRunKind given) {
    return new RunChoice(seed, Optional.of(given), without, ranks, only);
  }

  RunChoice without(Collection<Feature> features) {
    Set<Feature> all = EnumSet.noneOf(Feature.class);
    all.addAll(without);
    all.addAll(features);
    return new RunChoice(seed, kind, all, ranks, only);
  }

  RunChoice withRanks(int count) {
    return new RunChoice(seed, kind, without, OptionalInt.of(count), only);
  }

  RunChoice withOnly(Collection<Integer> events) {
    return new RunChoice(seed, kind, without, ranks, Optional.of(new TreeSet<>(events)));
  }

  /** Returns the features of the run. */
  Set<Feature> features() {
    Set<Feature> features = Feature.draw(seed);
    features.removeAll(without);
    return features;
  }

  /** Returns whether the run has the drawn event of this number, from 0. */
  boolean has(int event) {
    return only.map(events -> events.contains(event)).orElse(true);
  }

  /** Returns the options of the search that repeat the run. */
  @Override
  public String toString() {
    StringBuilder options = new StringBuilder("--seed " + seed + " --runs 1");
    kind.ifPresent(given -> options.append(" --kind ").append(given.title()));
    Set<Feature> lacking = Feature.draw(seed);
    lacking.retainAll(without);
    if (!lacking.isEmpty()) {
      options
          .append(" --without ")
          .append(lacking.stream().map(Feature::title).collect(Collectors.joining(",")));
    }
    ranks.ifPresent(count -> options.append(" --ranks ").append(count));
    only.ifPresent(
        events ->
            options
                .append(" --only ")
                .append(
                    events.isEmpty()
                        ? "none"
                        : events.stream().map(String::valueOf).collect(Collectors.joining(","))));
    return options.toString();
  }
}
