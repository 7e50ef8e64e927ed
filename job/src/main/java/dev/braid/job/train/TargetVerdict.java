package dev.braid.job.train;

import dev.braid.job.console.Typed;
import dev.braid.job.result.Evaluation;
import dev.braid.job.result.RunGoal;
import dev.braid.job.result.TestScore;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether the accuracy, or the loss, that was asked for was reached, on the whole test set, as a
 * sentence of the one kind or the other; none where none was asked for.
 */
record TargetVerdict(Optional<String> reached, Optional<String> missed) {

  /** Holds the target against the run's evaluations. */
  static TargetVerdict of(RunGoal goal, List<Evaluation> evaluations) {
    OptionalDouble loss = goal.targetLoss();
    return loss.isPresent()
        ? of(
            new TestScore.Fit(Double.NaN, loss.getAsDouble()),
            "--target-loss " + Typed.number(loss.getAsDouble()),
            evaluations)
        : of(goal.targetAccuracy(), evaluations);
  }

  /** Holds a target accuracy against the run's evaluations. */
  static TargetVerdict of(OptionalDouble accuracy, List<Evaluation> evaluations) {
    return accuracy.isPresent()
        ? of(
            new TestScore.Accuracy(accuracy.getAsDouble()),
            "--target-accuracy " + Typed.number(accuracy.getAsDouble()),
            evaluations)
        : new TargetVerdict(Optional.empty(), Optional.empty());
  }

  private static TargetVerdict of(TestScore target, String option, List<Evaluation> evaluations) {
    Optional<Evaluation> enough =
        evaluations.stream()
            .filter(line -> !line.testsOnlyPart())
            .filter(line -> line.score().quality() >= target.quality())
            .findFirst();
    return enough.isPresent()
        ? new TargetVerdict(
            Optional.of(
                String.format(
                    Locale.ROOT,
                    "%s reached in epoch %d, with %s%s",
                    target.qualityInWords(),
                    enough.get().epoch(),
                    enough.get().score().qualityInWords(),
                    goingOn(enough.get(), evaluations))),
            Optional.empty())
        : new TargetVerdict(
            Optional.empty(), Optional.of(option + " was not reached" + atBest(evaluations)));
  }

  /** Where a worker was cut off, its part of the test set came when training was further. */
  private static String goingOn(Evaluation enough, List<Evaluation> evaluations) {
    int last = evaluations.get(evaluations.size() - 1).epoch();
    return enough.epoch() == last ? "" : ", and training ended after epoch " + last;
  }

  private static String atBest(List<Evaluation> evaluations) {
    return Evaluation.best(evaluations)
        .map(best -> ": at best %s, in epoch %d".formatted(best.qualityInWords(), best.epoch()))
        .orElse("");
  }
}
