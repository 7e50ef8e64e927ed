package dev.braid.learner.optimiser;

import dev.braid.vector.Range;
import java.io.Serializable;
import java.util.stream.Collectors;

/**
 * The settings of everything between a gradient and the weights.
 *
 * @param updater the update rule, with its learning rate
 * @param schedule how the learning rate changes
 * @param clipping how large gradients are clipped
 * @param parameters which weights decay, and which parameters are running statistics
 * @param batch number of samples in a full batch if each rank's gradient is applied separately,
 *     because a step's samples are then those of all ranks (see {@code Update.GradientSum}). Each
 *     gradient is then clipped separately, and the decay of all gradients of a round adds up to
 *     that of one step. 0 if a step's gradient is the sum over all samples that the step names
 */
public record Optimiser(
    UpdaterSpec updater,
    EpochSchedule schedule,
    Clipping clipping,
    ParameterKinds parameters,
    int batch)
    implements Serializable {

  /** Returns an optimiser with a constant learning rate and without clipping. */
  public static Optimiser of(UpdaterSpec updater) {
    return new Optimiser(updater, EpochSchedule.CONSTANT, Clipping.NONE, ParameterKinds.ALIKE, 0);
  }

  /** Returns this optimiser for parameters that are followed by further running statistics. */
  public Optimiser following(Range statistics) {
    return new Optimiser(updater, schedule, clipping, parameters.with(statistics), batch);
  }

  /**
   * Creates the optimiser of one worker. With the same settings and pace, the same gradients make
   * the same steps.
   */
  public Updater create(Pace pace) {
    return new UpdatePipeline(this, pace.of(schedule));
  }

  /** Returns the settings in words, which differ for different settings. */
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
