package dev.braid.exchange.averaging;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.allreduce.TreeAllreduce;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;

/** Averaging of whole models: the weights, followed by the vectors of the updater's state. */
final class AveragedModels implements Averaged {

  private final Port port;
  private final int ranks;
  private float[] mean = {};

  AveragedModels(ExchangeConfig config, Port port) {
    this.port = port;
    this.ranks = config.ranks();
  }

  @Override
  public int length(Range range) {
    return port.model().length * range.length();
  }

  @Override
  public ExchangeRunner sums(ExchangeConfig config, Port sumPort) {
    return ExchangeRunner.bare(TreeAllreduce::new).create(config, sumPort);
  }

  @Override
  public void writeTo(Range range, float[] part) {
    float[][] model = port.model();
    for (int v = 0; v < model.length; v++) {
      System.arraycopy(model[v], range.start(), part, v * range.length(), range.length());
    }
  }

  @Override
  public void apply(Range range, Slice sum) {
    if (mean.length == 0) {
      mean = new float[range.length()];
    }
    for (int v = 0; v < port.model().length; v++) {
      int start = sum.offset() + v * range.length();
      for (int i = 0; i < mean.length; i++) {
        mean[i] = sum.array()[start + i] / ranks;
      }
      port.update(new Update.Replacement(v, range, Slice.view(mean, Range.ofLength(mean.length))));
    }
  }
}
