package dev.braid.chaos.sim.suite;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Port;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.exchange.runner.ExchangeFactory;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.state.StateVectors;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** An exchange with a codec, which replaces the one of its simulation. */
record Compressing(
    ExchangeType type,
    UnaryOperator<ExchangeOptions> chosen,
    Compression codec,
    ExchangeRunner[] made)
    implements ExchangeFactory {

  Compressing(ExchangeType type, String codec, int ranks) {
    this(type, options -> options, Compression.of(codec), new ExchangeRunner[ranks]);
  }

  Compressing(ExchangeType type, UnaryOperator<ExchangeOptions> chosen, String codec, int ranks) {
    this(type, chosen, Compression.of(codec), new ExchangeRunner[ranks]);
  }

  @Override
  public ExchangeRunner create(ExchangeConfig config, Port port) {
    ExchangeConfig compressing =
        new ExchangeConfig(
            config.rank(),
            config.ranks(),
            config.length(),
            config.chunkLength(),
            config.completedRounds(),
            chosen.apply(config.options()).with(Compression.OPTION, codec));
    ExchangeRunner exchange = type.create(compressing, port);
    made[config.rank()] = exchange;
    return exchange;
  }

  /** Returns the sum of all ranks' residuals at the end. */
  float[] residuals(int length) {
    float[] sum = new float[length];
    try {
      for (ExchangeRunner exchange : made) {
        byte[] state = exchange.writeStates().get("residual");
        float[] residual =
            StateVectors.read(new DataInputStream(new ByteArrayInputStream(state)), length);
        for (int i = 0; i < length; i++) {
          sum[i] += residual[i];
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return sum;
  }
}
