package dev.braid.learner.optimiser;

import dev.braid.vector.Range;
import java.io.Serializable;
import java.util.stream.Collectors;

/**
 * All that is between a gradient and the weights.
 *
 * @param updater the steps, with their learning rate
 * @param schedule what becomes of the learning rate
 * @param clipping what becomes of gradients that are too large
 * @param parameters which weights decay, and which parameters are none
 * @param batch where each rank's gradients are applied one by one, samples of a full one; else 0
 */
public record Optimiser(
    UpdaterSpec updater,
    EpochSchedule schedule,
    Clipping clipping,
    ParameterKinds parameters,
    int batch)
    implements Serializable {

  /** An optimiser with one learning rate, that takes gradients as they are. */
  public static Optimiser of(UpdaterSpec updater) {
    return new Optimiser(updater, EpochSchedule.CONSTANT, Clipping.NONE, ParameterKinds.ALIKE, 0);
  }

  /** Returns the same optimiser of parameters that have further running statistics behind them. */
  public Optimiser following(Range statistics) {
    return new Optimiser(updater, schedule, clipping, parameters.with(statistics), batch);
  }

  /** One worker's; of the same settings and pace, the same gradients make the same steps. */
  public Updater create(Pace pace) {
    LearningRateSchedule rates = pace.of(schedule);
    Updater clipped = clipping.around(updater.create(rates));
    Updater decaying =
        parameters.decays().isEmpty()
            ? clipped
            : new DecayingUpdater(clipped, updater, rates, parameters.decays(), batch);
    return parameters.around(decaying);
  }

  /** The optimiser in words, which differ where settings do. */
  public String describe() {
    StringBuilder words = new StringBuilder(updater.describe());
    if (!parameters.decays().isEmpty()) {
      words.append(", weight decay ").append(shares());
    }
    if (!schedule.isConstant()) {
      words.append(", ").append(schedule);
    }
    if (!clipping.equals(Clipping.NONE)) {
      words.append(", ").append(clipping);
    }
    return words.toString();
  }

  private String shares() {
    return parameters.decays().stream()
        .map(decay -> UpdaterSpec.plain(decay.share()))
        .distinct()
        .collect(Collectors.joining(", "));
  }
}
