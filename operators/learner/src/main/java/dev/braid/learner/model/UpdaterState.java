package dev.braid.learner.model;

import dev.braid.learner.optimiser.ParameterKinds;
import dev.braid.learner.structure.ModelStack;
import dev.braid.learner.structure.ParameterOrder;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * The layout of an optimiser's state in Deeplearning4j. Adjacent parameters with the same updater
 * form a block, and each state vector of a block is complete before the next one begins. Running
 * statistics have no state, and separate two blocks.
 */
public final class UpdaterState {

  private final ParameterOrder order;
  private final List<Range> blocks;

  private UpdaterState(ParameterOrder order, List<Range> blocks) {
    this.order = order;
    this.blocks = blocks;
  }

  /** Returns the layout for a model. */
  public static UpdaterState of(MultiLayerConfiguration model) {
    List<Range> blocks = new ArrayList<>();
    int start = 0;
    for (Range statistic : ParameterKinds.of(model).statistics()) {
      addUnlessEmpty(start, statistic.start(), blocks);
      start = statistic.end();
    }
    addUnlessEmpty(start, ModelStack.start(model, model.getConfs().size()), blocks);
    return new UpdaterState(ParameterOrder.of(model), blocks);
  }

  private static void addUnlessEmpty(int start, int end, List<Range> blocks) {
    if (start < end) {
      blocks.add(new Range(start, end));
    }
  }

  /**
   * Returns the length of Deeplearning4j's state array.
   *
   * @throws ArithmeticException if the length exceeds an array's limit
   */
  int length(int vectors) {
    int perVector = blocks.stream().mapToInt(Range::length).sum();
    return Math.multiplyExact(vectors, perVector);
  }

  /**
   * Converts vectors of the weights' length, in {@link ParameterOrder}, to Deeplearning4j's layout.
   */
  public float[] toDeeplearning4j(float[][] vectors) {
    float[] all = new float[length(vectors.length)];
    for (int v = 0; v < vectors.length; v++) {
      float[] vector = order.toDeeplearning4j(vectors[v]);
      int to = 0;
      for (Range block : blocks) {
        int start = to + v * block.length();
        System.arraycopy(vector, block.start(), all, start, block.length());
        to += vectors.length * block.length();
      }
    }
    return all;
  }

  /**
   * Converts Deeplearning4j's layout to vectors of length {@code length}; the inverse of {@link
   * #toDeeplearning4j}.
   */
  float[][] fromDeeplearning4j(float[] all, int vectors, int length) {
    float[][] state = new float[vectors][];
    for (int v = 0; v < vectors; v++) {
      float[] vector = new float[length];
      int from = 0;
      for (Range block : blocks) {
        int start = from + v * block.length();
        System.arraycopy(all, start, vector, block.start(), block.length());
        from += vectors * block.length();
      }
      state[v] = order.fromDeeplearning4j(vector);
    }
    return state;
  }
}
