package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.learner.structure.RecurrentLayers;
import java.util.Optional;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.ISchedule;

/**
 * Converts the optimiser of a Deeplearning4j model. In Deeplearning4j each layer may have its own
 * optimiser, and another for its biases. In Braid one optimiser steps over the whole vector.
 */
final class ModelUpdater {

  private ModelUpdater() {}

  /**
   * Returns the model's optimiser.
   *
   * @throws InvalidModelException if Braid does not have the optimiser, or if it differs between
   *     layers
   */
  static UpdaterSpec of(String name, MultiLayerConfiguration model) {
    UpdaterSpec first = null;
    for (int i = 0; i < model.getConfs().size(); i++) {
      Optional<BaseLayer> withUpdater = RecurrentLayers.withUpdater(model.getConf(i).getLayer());
      if (withUpdater.isEmpty()) {
        continue;
      }
      BaseLayer layer = withUpdater.get();
      String where = ModelCheck.layerName(name, model, i);
      UpdaterSpec spec = spec(where, layer.getIUpdater());
      if (first == null) {
        first = spec;
      }
      boolean bias = layer.getBiasUpdater() == null;
      if (!spec.equals(first) || !(bias || spec.equals(spec(where, layer.getBiasUpdater())))) {
        throw new InvalidModelException(
            where + ": has its own updater: use one updater for all layers, or `updater`");
      }
    }
    if (first == null) {
      throw new InvalidModelException("model " + name + ": needs a layer with weights");
    }
    return first;
  }

  private static UpdaterSpec spec(String where, IUpdater updater) {
    try {
      if (updater instanceof Sgd sgd && none(sgd.getLearningRateSchedule())) {
        return new UpdaterSpec.Sgd(sgd.getLearningRate());
      }
      if (updater instanceof Nesterovs nesterovs
          && none(nesterovs.getLearningRateSchedule())
          && none(nesterovs.getMomentumISchedule())) {
        return new UpdaterSpec.Momentum(nesterovs.getLearningRate(), nesterovs.getMomentum());
      }
      if (updater instanceof Adam adam && none(adam.getLearningRateSchedule())) {
        return new UpdaterSpec.Adam(
            adam.getLearningRate(), adam.getBeta1(), adam.getBeta2(), adam.getEpsilon());
      }
      if (updater instanceof AMSGrad amsGrad && none(amsGrad.getLearningRateSchedule())) {
        return new UpdaterSpec.AmsGrad(
            amsGrad.getLearningRate(),
            amsGrad.getBeta1(),
            amsGrad.getBeta2(),
            amsGrad.getEpsilon());
      }
      if (updater instanceof RmsProp rmsProp && none(rmsProp.getLearningRateSchedule())) {
        return new UpdaterSpec.RmsProp(
            rmsProp.getLearningRate(), rmsProp.getRmsDecay(), rmsProp.getEpsilon());
      }
    } catch (IllegalArgumentException e) {
      throw new InvalidModelException(where + ": " + e.getMessage(), e);
    }
    throw new InvalidModelException(
        where
            + ": updater "
            + updater
            + ": use Sgd, Nesterovs, Adam, AMSGrad or RmsProp without a schedule, or "
            + "`updater`");
  }

  private static boolean none(ISchedule schedule) {
    return schedule == null;
  }
}
