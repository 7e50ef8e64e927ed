package dev.braid.job.restore;

import dev.braid.chaos.Chaos;
import dev.braid.chaos.ChaosConfig;
import dev.braid.run.training.TrainingJob;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes of the state of chaos events in a checkpoint, by the operators that have state in
 * it. Events are a part of a run that another run may do without, or have others of: their state is
 * the only one that may ever be dropped.
 */
final class SavedChaos {

  /** The other operators that have state: every run has them. */
  private static final Set<String> ALWAYS_THERE =
      Set.of(TrainingJob.SAMPLES_UID, TrainingJob.WORKERS_UID, "usage-grouper", "ledger", "report");

  private final List<String> operators;

  /**
   * Of a checkpoint.
   *
   * @param operators the uids of those that have state
   */
  SavedChaos(List<String> operators) {
    this.operators = List.copyOf(operators);
  }

  /**
   * Whether a run has to leave out state of the checkpoint, and may: all that it has no operator
   * for is of chaos events.
   */
  boolean isDroppedBy(Optional<ChaosConfig> chaos) {
    boolean isOther = saved().isPresent() && !saved().equals(title(chaos));
    return isOther && operators.stream().allMatch(SavedChaos::mayBeMissed);
  }

  private static boolean mayBeMissed(String operator) {
    return isOfChaos(operator) || ALWAYS_THERE.contains(operator);
  }

  /** What to tell the user, if anything. */
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
