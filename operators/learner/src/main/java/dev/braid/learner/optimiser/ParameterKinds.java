package dev.braid.learner.optimiser;

import dev.braid.learner.structure.ModelStack;
import dev.braid.learner.structure.Regularisation;
import dev.braid.vector.Range;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * The parameters of a model that an optimiser treats specially, by their ranges in the flat vector.
 *
 * @param statistics running means and variances, of batch normalisation and of standardized
 *     features: they follow the batches, without a learning rate
 * @param decays weights that decay
 */
public record ParameterKinds(List<Range> statistics, List<Decay> decays) implements Serializable {

  /** No parameter is treated specially. */
  public static final ParameterKinds ALIKE = new ParameterKinds(List.of(), List.of());

  /**
   * Weight decay: each step reduces the weights of a range by a share of themselves (Loshchilov and
   * Hutter, "Decoupled weight decay regularization", 2019), as Deeplearning4j's {@code WeightDecay}
   * does.
   *
   * @param share fraction of the weights subtracted per step, at a learning rate of 1
   * @param timesLearningRate whether the share is multiplied by the learning rate
   */
  public record Decay(Range range, double share, boolean timesLearningRate)
      implements Serializable {}

  /** Returns the parameter kinds of a model. */
  public static ParameterKinds of(MultiLayerConfiguration model) {
    List<Range> statistics = new ArrayList<>();
    List<Decay> decays = new ArrayList<>();
    for (int i = 0; i < model.getConfs().size(); i++) {
      Layer layer = model.getConf(i).getLayer();
      int start = ModelStack.start(model, i);
      if (layer instanceof BatchNormalization normalisation) {
        int end = ModelStack.start(model, i + 1);
        int width = Math.toIntExact(normalisation.getNOut());
        statistics.add(new Range(end - 2 * width, end));
      } else if (Regularisation.decays(layer)) {
        addDecays(model.getConf(i), start, decays);
      }
    }
    return new ParameterKinds(List.copyOf(statistics), List.copyOf(decays));
  }

  /** Returns these kinds with a further range of statistics. */
  ParameterKinds with(Range statistic) {
    List<Range> all = new ArrayList<>(statistics);
    all.add(statistic);
    return new ParameterKinds(List.copyOf(all), decays);
  }

  private static void addDecays(NeuralNetConfiguration conf, int start, List<Decay> decays) {
    Layer layer = conf.getLayer();
    long length = layer.initializer().numParams(layer);
    try (INDArray parameters = Nd4j.createUninitialized(DataType.FLOAT, 1, length)) {
      Map<String, INDArray> views = layer.initializer().init(conf, parameters, false);
      views.forEach(
          (name, view) -> {
            int from = Math.toIntExact(start + view.offset());
            Range range = new Range(from, Math.toIntExact(from + view.length()));
            Regularisation.decays(layer, name)
                .map(decay -> new Decay(range, decay.getCoeff().valueAt(0, 0), decay.isApplyLR()))
                .forEach(decays::add);
          });
    }
  }
}
