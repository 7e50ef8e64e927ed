package dev.braid.learner.structure;

import java.util.Optional;
import java.util.Set;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.BaseRecurrentLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.deeplearning4j.nn.conf.layers.recurrent.SimpleRnn;

/** Layers that take sequences: one by itself, or wrapped into one that gives its last step. */
public final class RecurrentLayers {

  /** Layers with weights over time. */
  public static final Set<Class<? extends BaseRecurrentLayer>> INNER =
      Set.of(LSTM.class, SimpleRnn.class);

  /** What may wrap one of these. */
  public static final Class<? extends Layer> WRAPPER = LastTimeStep.class;

  private RecurrentLayers() {}

  /** The recurrent layer that a layer is, or wraps. */
  public static Optional<BaseRecurrentLayer> inner(Layer layer) {
    Layer inner = layer.getClass() == WRAPPER ? ((LastTimeStep) layer).getUnderlying() : layer;
    return inner instanceof BaseRecurrentLayer recurrent && INNER.contains(inner.getClass())
        ? Optional.of(recurrent)
        : Optional.empty();
  }

  /** The layer that says which updater there is, where a layer has weights. */
  public static Optional<BaseLayer> withUpdater(Layer layer) {
    Optional<BaseRecurrentLayer> inner = inner(layer);
    if (inner.isPresent()) {
      return Optional.of(inner.get());
    }
    return layer instanceof BaseLayer base ? Optional.of(base) : Optional.empty();
  }
}
