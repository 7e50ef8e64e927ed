package dev.braid.learner;

import java.util.List;

/**
 * The position of a batch's samples in a stream, and what else the stream has there.
 *
 * @param offsets all offsets that the batch accounts for, whether or not their records are valid
 * @param heldFeatures features of the held-out samples, which are scored and never trained on
 * @param heldTargets targets of the held-out samples
 * @param timestampsMillis the topic's timestamps of the records that are trained on, in
 *     milliseconds since 1970; not copied
 * @param refused number of records that are not valid samples
 * @param isProgressive whether the samples of the batch are scored before they are trained on,
 *     because none are held out
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
