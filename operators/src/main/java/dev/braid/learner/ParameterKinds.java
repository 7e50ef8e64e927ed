package dev.braid.learner;

import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;

/**
 * Which of a model's parameters are no weights.
 *
 * @param statistics batch normalisation's running means and variances
 */
record ParameterKinds(List<Range> statistics) {

  static ParameterKinds of(MultiLayerConfiguration model) {
    List<Range> statistics = new ArrayList<>();
    for (int i = 0; i < model.getConfs().size(); i++) {
      if (model.getConf(i).getLayer() instanceof BatchNormalization layer) {
        int end = ModelStack.start(model, i + 1);
        statistics.add(new Range(end - 2 * Math.toIntExact(layer.getNOut()), end));
      }
    }
    return new ParameterKinds(statistics);
  }
}
