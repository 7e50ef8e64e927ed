package dev.braid.api;

import org.apache.flink.annotation.PublicEvolving;

/**
 * Trains neural networks in jobs of Flink.
 *
 * <pre>{@code
 * Training training =
 *     Braid.training(Network.preset("mlp")).workers(4).optimizer(Optimizer.adam(0.001)).results("out");
 * training.fit(env, DataSet.at("mnist"), 10);
 * env.execute();
 * }</pre>
 */
@PublicEvolving
public final class Braid {

  private Braid() {}

  /** Returns a training with the usual settings for everything but the network. */
  public static Training training(Network network) {
    return new Training(new Settings(network));
  }
}
