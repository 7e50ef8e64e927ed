package dev.braid.learner.structure;

import java.util.Optional;
import java.util.Set;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.BaseRecurrentLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.deeplearning4j.nn.conf.layers.recurrent.SimpleRnn;

/**
 * Layers that process sequences: a recurrent layer, or one inside a wrapper that returns its last
 * step.
 */
public final class RecurrentLayers {

  /** Recurrent layers with weights. */
  public static final Set<Class<? extends BaseRecurrentLayer>> INNER =
      Set.of(LSTM.class, SimpleRnn.class);

  /** The layer that may wrap a recurrent layer. */
  public static final Class<? extends Layer> WRAPPER = LastTimeStep.class;

  private RecurrentLayers() {}

  /** Returns the layer itself if it is recurrent, or the recurrent layer that it wraps. */
  public static Optional<BaseRecurrentLayer> inner(Layer layer) {
    Layer inner = layer.getClass() == WRAPPER ? ((LastTimeStep) layer).getUnderlying() : layer;
    return inner instanceof BaseRecurrentLayer recurrent && INNER.contains(inner.getClass())
        ? Optional.of(recurrent)
        : Optional.empty();
  }

  /** Returns the layer that holds the updater, if the layer has weights. */
  public static Optional<BaseLayer> withUpdater(Layer layer) {
    Optional<BaseRecurrentLayer> inner = inner(layer);
    if (inner.isPresent()) {
      return Optional.of(inner.get());
    }
    return layer instanceof BaseLayer base ? Optional.of(base) : Optional.empty();
  }
}
