package dev.braid.learner.network;

import dev.braid.learner.Batch;
import dev.braid.learner.layer.DropoutMask;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.structure.ImageShape;
import java.util.function.Supplier;
import org.deeplearning4j.nn.conf.dropout.IDropout;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A {@link DropoutMask} for a Deeplearning4j layer. Deeplearning4j's own dropout uses a random
 * generator that the whole process shares.
 */
final class SampleDropout implements IDropout {

  private static final long serialVersionUID = 1;

  private final transient DropoutMask mask;
  private final transient Supplier<Batch> batch;

  /** The factors by which the values were multiplied in the forward pass. */
  private transient INDArray factors;

  /**
   * @param batch returns the batch whose samples are in the arrays' rows when the network computes
   *     a gradient
   */
  SampleDropout(DropoutMask mask, Supplier<Batch> batch) {
    this.mask = mask;
    this.batch = batch;
    this.factors = Nd4j.createUninitialized(DataType.FLOAT, 1);
  }

  @Override
  public INDArray applyDropout(
      INDArray input, INDArray result, int iteration, int epoch, LayerWorkspaceMgr workspaces) {
    int size = Math.toIntExact(input.length() / input.size(0));
    float[] values = new float[Math.toIntExact(input.length())];
    ImageShape row = new ImageShape(size, 1, 1);
    for (int i = 0; i < input.size(0); i++) {
      mask.of(batch.get().epoch(), batch.get().ids()[i]);
      mask.write(row, values, i * size);
    }
    clear();
    factors =
        workspaces == null
            ? Nd4j.create(values, input.shape(), 'c')
            : workspaces.createUninitialized(ArrayType.INPUT, DataType.FLOAT, input.shape(), 'c');
    NativeVectors.put(values, factors);
    return result.assign(input.mul(factors));
  }

  @Override
  public INDArray backprop(INDArray delta, INDArray inputDelta, int iteration, int epoch) {
    return inputDelta.assign(delta.mul(factors));
  }

  @Override
  public void clear() {
    factors = Nd4j.createUninitialized(DataType.FLOAT, 1);
  }

  @Override
  public SampleDropout clone() {
    return new SampleDropout(mask, batch);
  }
}
