package dev.braid.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Contribution;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.ExchangeType;
import dev.braid.exchange.Message;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.learner.Batch;
import dev.braid.worker.TrainerHost.GradientResult;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class OwnGradientTest {

  private static final int LENGTH = 3;

  private final TrainerHost host = hostThatComputesOnes();

  /** Three ranks of which the others are two gradients behind: 1/(1 + 0.5 · 2). */
  @Test
  void itIsShorterByHowLateThoseOfOthersAre() {
    Exchange allToAll = exchangeAhead(ExchangeType.ALL_TO_ALL, 0.5, 2);
    assertThat(allToAll.staleness().mean()).isEqualTo(2);
    assertThat(gradientFor(allToAll)).containsOnly(0.5f);
  }

  @Test
  void itIsWhole_withoutDamping() {
    assertThat(gradientFor(exchangeAhead(ExchangeType.ALL_TO_ALL, 0, 2))).containsOnly(1);
  }

  @Test
  void itIsWhole_whereNothingIsLate() {
    assertThat(gradientFor(exchangeAhead(ExchangeType.ALL_TO_ALL, 0.5, 0))).containsOnly(1);
  }

  @Test
  void itIsWhole_whereModelsAreLate() {
    Exchange gossip = exchangeAhead(ExchangeType.GOSSIP, 0.5, 2);
    assertThat(gossip.staleness().mean()).isPositive();
    assertThat(gradientFor(gossip)).containsOnly(1);
  }

  private float[] gradientFor(Exchange exchange) {
    Position position =
        new Position(host, false, exchange.completedRounds(), OptionalInt.empty(), 0);
    position.add(batch());
    OwnGradient own = new OwnGradient(host, 0, LENGTH);
    own.compute(position, exchange, () -> new float[LENGTH], () -> {});
    assertThat(own.contribution().samples()).isEqualTo(1);
    return own.contribution().gradient();
  }

  /** One of three ranks that has computed so many gradients, and heard of none of another. */
  private static Exchange exchangeAhead(ExchangeType type, double damping, int rounds) {
    ExchangeOptions options = ExchangeOptions.defaults(3).withStalenessDamping(damping);
    Exchange exchange =
        type.create(new ExchangeConfig(0, 3, LENGTH, LENGTH, 0, options), new SilentPort());
    for (int round = 0; round < rounds; round++) {
      exchange.contribute(new Contribution(round, new float[LENGTH], 1));
    }
    return exchange;
  }

  private static Batch batch() {
    return new Batch(0, new int[] {7}, new float[] {0}, new int[] {0}, false);
  }

  /** Every element of a gradient is 1, and nothing else is asked for. */
  private static TrainerHost hostThatComputesOnes() {
    return (TrainerHost)
        Proxy.newProxyInstance(
            TrainerHost.class.getClassLoader(),
            new Class<?>[] {TrainerHost.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("computeGradient")) {
                throw new UnsupportedOperationException(method.getName());
              }
              Arrays.fill((float[]) arguments[2], 1);
              @SuppressWarnings("unchecked")
              Consumer<GradientResult> then = (Consumer<GradientResult>) arguments[3];
              then.accept(new GradientResult(0.1, 1));
              return null;
            });
  }

  /** Nothing arrives anywhere. */
  private static final class SilentPort implements Port {
    private final float[][] model = new float[1][LENGTH];

    @Override
    public long nowNanos() {
      return 0;
    }

    @Override
    public void send(Message message) {}

    @Override
    public void wakeAt(long nanos) {}

    @Override
    public float[][] model() {
      return model;
    }

    @Override
    public void update(Update update) {}
  }
}
