package dev.braid.learner.model;

import dev.braid.learner.optimiser.ParameterKinds;
import dev.braid.learner.structure.ModelStack;
import dev.braid.learner.structure.ParameterOrder;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * An optimiser's state as Deeplearning4j lays it out: parameters that follow each other and have
 * the same updater are a block, each of whose vectors comes as a whole before the next one. Running
 * statistics have none, and part one block from the next.
 */
public final class UpdaterState {

  private final ParameterOrder order;
  private final List<Range> blocks;

  private UpdaterState(ParameterOrder order, List<Range> blocks) {
    this.order = order;
    this.blocks = blocks;
  }

  /** That of a model. */
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
   * How many numbers Deeplearning4j's has.
   *
   * @throws ArithmeticException if an array cannot have as many
   */
  int length(int vectors) {
    int perVector = blocks.stream().mapToInt(Range::length).sum();
    return Math.multiplyExact(vectors, perVector);
  }

  /** From vectors of the weights' length, in {@link ParameterOrder}. */
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

  /** The inverse of {@link #toDeeplearning4j}, for weights of this length. */
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
