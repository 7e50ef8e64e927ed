package dev.braid.job;

import dev.braid.job.report.Evaluation;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether the accuracy that was asked for was reached, as a sentence of the one kind or the other;
 * none where none was asked for.
 */
record TargetVerdict(Optional<String> reached, Optional<String> missed) {

  /** Holds the target against the run's evaluations. */
  static TargetVerdict of(OptionalDouble target, List<Evaluation> evaluations) {
    if (target.isEmpty()) {
      return new TargetVerdict(Optional.empty(), Optional.empty());
    }
    Optional<Evaluation> enough =
        evaluations.stream()
            .filter(line -> line.testAccuracy() >= target.getAsDouble())
            .findFirst();
    return enough.isPresent()
        ? new TargetVerdict(
            Optional.of(
                String.format(
                    Locale.ROOT,
                    "%s reached in epoch %d, with %s",
                    percent(target.getAsDouble()),
                    enough.get().epoch(),
                    percent(enough.get().testAccuracy()))),
            Optional.empty())
        : new TargetVerdict(Optional.empty(), Optional.of(missed(target, evaluations)));
  }

  private static String missed(OptionalDouble target, List<Evaluation> evaluations) {
    String most =
        Evaluation.best(evaluations)
            .map(
                best ->
                    ": at best %s, in epoch %d"
                        .formatted(percent(best.testAccuracy()), best.epoch()))
            .orElse("");
    return "--target-accuracy " + target.getAsDouble() + " was not reached" + most;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f %%", 100 * share);
  }
}
