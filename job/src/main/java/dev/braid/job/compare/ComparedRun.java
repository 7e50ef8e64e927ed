package dev.braid.job.compare;

import dev.braid.files.Printable;
import dev.braid.run.result.RunHistory;
import java.util.Optional;

/**
 * One run of a comparison.
 *
 * @param name what it is called there
 * @param history what it has reported; none if it came to nothing
 * @param trouble why it did not end as it should; none if it did
 */
record ComparedRun(String name, Optional<RunHistory> history, Optional<String> trouble) {

  ComparedRun {
    // A history may be anybody's.
    name = Printable.of(name);
    trouble = trouble.map(Printable::of);
  }

  /** A run of which only the history is known. */
  static ComparedRun of(String name, RunHistory history) {
    Optional<String> trouble =
        history
            .outcome()
            .map(
                outcome ->
                    outcome.ledgerExact() || outcome.ledgerAccounted()
                        ? Optional.<String>empty()
                        : Optional.of(outcome.ledger()))
            .orElse(Optional.of("did not finish, according to its history"));
    return new ComparedRun(name, Optional.of(history), trouble);
  }

  /** Its figures, if it has come to the end of an epoch. */
  Optional<Figures> figures() {
    return history.filter(known -> !known.evaluations().isEmpty()).map(Figures::of);
  }
}
