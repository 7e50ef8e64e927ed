package dev.braid.job.compare;

import dev.braid.run.result.RunHistory;
import dev.braid.text.Printable;
import java.util.Optional;

/**
 * One run of a comparison.
 *
 * @param name the run's name in the comparison
 * @param history the run's reports; empty if it has none
 * @param trouble reason why it did not end as planned; empty if it did
 */
record ComparedRun(String name, Optional<RunHistory> history, Optional<String> trouble) {

  ComparedRun {
    // A history may come from an untrusted source.
    name = Printable.of(name);
    trouble = trouble.map(Printable::of);
  }

  /** Returns a run of which only the history is known. */
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

  /** Returns the run's figures; empty if it has not completed an epoch. */
  Optional<Figures> figures() {
    return history.filter(known -> !known.evaluations().isEmpty()).map(Figures::of);
  }
}
