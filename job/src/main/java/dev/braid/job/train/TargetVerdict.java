package dev.braid.job.train;

import dev.braid.job.console.Typed;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.RunGoal;
import dev.braid.run.result.TestScore;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Result for a target accuracy or loss on the whole test set, as one of two sentences. Both are
 * empty without a target.
 */
record TargetVerdict(Optional<String> reached, Optional<String> missed) {

  /**
   * Compares the target with the run's evaluations.
   *
   * @param saved score of the saved model, which an asynchronous exchange evaluates separately
   */
  static TargetVerdict of(RunGoal goal, List<Evaluation> evaluations, TestScore saved) {
    OptionalDouble loss = goal.targetLoss();
    return loss.isPresent()
        ? of(
            new TestScore.Fit(Double.NaN, loss.getAsDouble()),
            "--target-loss " + Typed.number(loss.getAsDouble()),
            evaluations,
            saved)
        : of(goal.targetAccuracy(), evaluations, saved);
  }

  /** Compares a target accuracy with the run's evaluations and its saved model. */
  static TargetVerdict of(OptionalDouble accuracy, List<Evaluation> evaluations, TestScore saved) {
    return accuracy.isPresent()
        ? of(
            new TestScore.Accuracy(accuracy.getAsDouble()),
            "--target-accuracy " + Typed.number(accuracy.getAsDouble()),
            evaluations,
            saved)
        : new TargetVerdict(Optional.empty(), Optional.empty());
  }

  private static TargetVerdict of(
      TestScore target, String option, List<Evaluation> evaluations, TestScore saved) {
    Optional<Evaluation> enough =
        evaluations.stream()
            .filter(line -> !line.testsOnlyPart())
            .filter(line -> line.score().quality() >= target.quality())
            .findFirst();
    Optional<TestScore> own = ownScore(evaluations, saved);
    if (enough.isEmpty() && own.filter(it -> it.quality() >= target.quality()).isPresent()) {
      return new TargetVerdict(
          Optional.of(
              "%s reached by the saved model, with %s"
                  .formatted(target.qualityInWords(), saved.qualityInWords())),
          Optional.empty());
    }
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
            Optional.empty(), Optional.of(option + " was not reached" + atBest(evaluations, own)));
  }

  /** Returns the saved model's score, unless it is that of the last epoch. */
  private static Optional<TestScore> ownScore(List<Evaluation> evaluations, TestScore saved) {
    return evaluations.isEmpty() || evaluations.get(evaluations.size() - 1).score().equals(saved)
        ? Optional.empty()
        : Optional.of(saved);
  }

  /**
   * Names a later last epoch: if a worker was unreachable, its part of the test set was evaluated
   * when training had advanced.
   */
  private static String goingOn(Evaluation enough, List<Evaluation> evaluations) {
    int last = evaluations.get(evaluations.size() - 1).epoch();
    return enough.epoch() == last ? "" : ", and training ended after epoch " + last;
  }

  private static String atBest(List<Evaluation> evaluations, Optional<TestScore> own) {
    Optional<Evaluation> best = Evaluation.best(evaluations);
    if (best.isPresent()
        && own.filter(it -> it.quality() > best.get().score().quality()).isPresent()) {
      return ": at best %s, of the saved model".formatted(own.get().qualityInWords());
    }
    return best.map(it -> ": at best %s, in epoch %d".formatted(it.qualityInWords(), it.epoch()))
        .orElse("");
  }
}
