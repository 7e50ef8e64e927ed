package dev.braid.job.train;

import dev.braid.job.result.Evaluation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** That a run has ended before its last epoch, as it got no better. */
final class EarlyStop {

  private EarlyStop() {}

  /** The sentence, if it is so. */
  static Optional<String> of(OptionalInt patience, int epochs, List<Evaluation> evaluations) {
    if (patience.isEmpty() || evaluations.isEmpty()) {
      return Optional.empty();
    }
    int last = evaluations.get(evaluations.size() - 1).epoch();
    int best = Evaluation.best(evaluations).orElseThrow().epoch();
    return last < epochs && last - best >= patience.getAsInt()
        ? Optional.of(
            "none of %d epochs was better than epoch %d: ended after epoch %d"
                .formatted(last - best, best, last))
        : Optional.empty();
  }
}
