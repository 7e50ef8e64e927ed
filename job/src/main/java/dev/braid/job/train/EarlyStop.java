package dev.braid.job.train;

import dev.braid.run.result.Evaluation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * That a run has ended before its last epoch, as it got no better. Epochs of which a part of the
 * test set is missing do not count, as in training.
 */
final class EarlyStop {

  private EarlyStop() {}

  /** The sentence, if it is so. */
  static Optional<String> of(OptionalInt patience, int epochs, List<Evaluation> evaluations) {
    List<Evaluation> whole =
        evaluations.stream().filter(evaluation -> !evaluation.testsOnlyPart()).toList();
    if (patience.isEmpty() || whole.isEmpty()) {
      return Optional.empty();
    }
    int last = evaluations.get(evaluations.size() - 1).epoch();
    int best = Evaluation.best(whole).orElseThrow().epoch();
    long since = whole.stream().filter(evaluation -> evaluation.epoch() > best).count();
    return last < epochs && since >= patience.getAsInt()
        ? Optional.of(
            "no improvement in %d epochs since epoch %d: ended after epoch %d"
                .formatted(since, best, last))
        : Optional.empty();
  }
}
