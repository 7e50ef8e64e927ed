package dev.braid.job.train;

import dev.braid.run.result.Evaluation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * End of a run before its last epoch for lack of improvement. As in training, epochs evaluated on a
 * part of the test set do not count.
 */
final class EarlyStop {

  private EarlyStop() {}

  /** Returns a sentence if the run ended early. */
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
