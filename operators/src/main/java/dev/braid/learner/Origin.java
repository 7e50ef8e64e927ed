package dev.braid.learner;

import java.util.List;

/**
 * Where the samples of a batch are in a stream, and what else is there.
 *
 * @param offsets all offsets that the batch accounts for, whatever their records are
 * @param heldFeatures features of the samples that are scored and never trained on
 * @param heldTargets what a model is to say of these samples
 * @param timestampsMillis times of the records that are trained on, as the topic has them, in
 *     milliseconds since 1970; not copied
 * @param refused number of records that are no samples
 * @param isProgressive whether the samples of the batch are scored before they are trained on, as
 *     none are held out
 */
public record Origin(
    List<OffsetRange> offsets,
    Features heldFeatures,
    Targets heldTargets,
    long[] timestampsMillis,
    int refused,
    boolean isProgressive) {

  public Origin {
    offsets = List.copyOf(offsets);
  }
}
