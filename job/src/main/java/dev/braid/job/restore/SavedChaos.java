package dev.braid.job.restore;

import dev.braid.chaos.Chaos;
import dev.braid.chaos.ChaosConfig;
import dev.braid.run.training.TrainingJob;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * State of chaos events in a checkpoint, identified by its operators. A run may have other events
 * or none; their state is the only one that may be dropped.
 */
final class SavedChaos {

  /** Operators with state that every run has. */
  private static final Set<String> ALWAYS_THERE =
      Set.of(TrainingJob.SAMPLES_UID, TrainingJob.WORKERS_UID, "usage-grouper", "ledger", "report");

  private final List<String> operators;

  /**
   * Creates the state of a checkpoint.
   *
   * @param operators uids of the operators with state
   */
  SavedChaos(List<String> operators) {
    this.operators = List.copyOf(operators);
  }

  /**
   * Returns whether a run must drop state of the checkpoint, and may: all state without an operator
   * in the run belongs to chaos events.
   */
  boolean isDroppedBy(Optional<ChaosConfig> chaos) {
    boolean isOther = saved().isPresent() && !saved().equals(title(chaos));
    return isOther && operators.stream().allMatch(SavedChaos::mayBeMissed);
  }

  private static boolean mayBeMissed(String operator) {
    return isOfChaos(operator) || ALWAYS_THERE.contains(operator);
  }

  /** Returns a note for the user; empty if nothing changes. */
  Optional<String> change(Optional<ChaosConfig> chaos) {
    Optional<String> own = title(chaos);
    if (saved().equals(own)) {
      return Optional.empty();
    }
    if (saved().isEmpty()) {
      return Optional.of("checkpoint made without chaos events: they start now");
    }
    return Optional.of(
        ("checkpoint made with chaos events of a %s: events that were pending or in "
                + "force are dropped, as this run has %s")
            .formatted(saved().get(), own.map(title -> "those of a " + title).orElse("none")));
  }

  private Optional<String> saved() {
    return operators.stream()
        .filter(SavedChaos::isOfChaos)
        .map(uid -> uid.substring(uid.indexOf('/') + 1))
        .findFirst();
  }

  private static boolean isOfChaos(String operator) {
    return operator.startsWith(Chaos.UID_PREFIX);
  }

  private static Optional<String> title(Optional<ChaosConfig> chaos) {
    return chaos.map(config -> config.source().title());
  }
}
