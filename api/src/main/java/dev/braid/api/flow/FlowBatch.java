package dev.braid.api.flow;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.OffsetRange;
import dev.braid.learner.Origin;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import java.util.List;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Samples of one batch, as a checkpoint stores them. The records of an input are numbered
 * consecutively; these numbers replace offsets.
 *
 * @param partition number of the subtask whose input the records came from
 * @param start number of the first record
 * @param records number of records, including refused ones
 * @param refused number of records that are not samples
 * @param features features of the samples to train on, row after row
 * @param targets their classes or values
 * @param heldFeatures features of the samples that are only scored
 * @param heldTargets their classes or values
 * @param weights weights of the samples to train on; empty if all count alike
 * @param heldWeights weights of the samples that are only scored
 */
public record FlowBatch(
    int partition,
    long start,
    int records,
    int refused,
    float[] features,
    float[] targets,
    float[] heldFeatures,
    float[] heldTargets,
    float[] weights,
    float[] heldWeights) {

  /** Returns a batch without records, for a rank that has none while others have some. */
  static FlowBatch empty(int partition) {
    float[] none = new float[0];
    return new FlowBatch(partition, 0, 0, 0, none, none, none, none, none, none);
  }

  /**
   * Checks that a batch of a checkpoint has samples such as an encoder makes.
   *
   * @throws SuppressRestartsException if it has not: a restart would fail in the same way
   */
  void requireShape(Encoder<?> encoder) {
    Shape shape = encoder.shape();
    int width = shape.hasValues() ? shape.outputs() : 1;
    int trained = targets.length / width;
    int held = heldTargets.length / width;
    boolean fits =
        features.length == trained * shape.features()
            && heldFeatures.length == held * shape.features()
            && weights.length == (encoder.isWeighted() ? trained : 0)
            && heldWeights.length == (encoder.isWeighted() ? held : 0)
            && trained + held + refused == records;
    if (!fits) {
      throw new SuppressRestartsException(
          new InvalidDataException(
              "the checkpoint has samples of another encoder: use an encoder with as many "
                  + "features, values and weights"));
    }
  }

  /**
   * Returns the batch as a worker takes it.
   *
   * @param isProgressive whether the samples are scored before they are trained on
   */
  Batch toBatch(Shape shape, int epoch, boolean isLastOfEpoch, boolean isProgressive) {
    Features trained = Features.fitting(shape.features(), features);
    Targets wanted = targets(shape, targets, weights);
    int[] ids = new int[wanted.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = (int) start + i;
    }
    List<OffsetRange> used =
        records == 0 ? List.of() : List.of(new OffsetRange(partition, start, start + records));
    return new Batch(epoch, ids, trained, wanted, isLastOfEpoch)
        .from(
            new Origin(
                used,
                Features.fitting(shape.features(), heldFeatures),
                targets(shape, heldTargets, heldWeights),
                new long[0],
                refused,
                isProgressive));
  }

  private static Targets targets(Shape shape, float[] numbers, float[] weights) {
    Targets plain = Targets.of(shape, numbers);
    return weights.length == 0 ? plain : plain.weighted(weights);
  }
}
