package dev.braid.exchange.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.fttree.FaultTolerantTreeDescriptor;
import dev.braid.exchange.option.LinkTimeout;
import dev.braid.exchange.participation.Participation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which exchanges continue without unreachable ranks, and how. */
class ParticipationTest {

  private static final ExchangeOptions OPTIONS = ExchangeOptions.defaults(3);

  @ParameterizedTest
  @MethodSource("dev.braid.exchange.registry.ExchangeType#all")
  void whoeverDoesNotWaitForOthersCallsTheRoll_butRelaysHaveViews(ExchangeType type) {
    boolean relays = type.equals(ExchangeType.SHARING);
    assertThat(participation(type, OPTIONS) instanceof Participation.ByRollCall)
        .isEqualTo(!type.isSynchronous(OPTIONS) && !relays);
  }

  /** Routes of relayed gradients depend on the members, so all ranks must agree on the members. */
  @Test
  void whoRelaysOthersGradientsHasViews() {
    assertThat(participation(ExchangeType.SHARING, OPTIONS))
        .isInstanceOf(Participation.InViews.class);
  }

  @Test
  void theTreeThatGoesAroundFailuresHasViews_butNotAsItsPaperHasIt() {
    assertThat(participation(ExchangeType.FT_TREE, OPTIONS))
        .isInstanceOf(Participation.InViews.class);
    ExchangeOptions fixed =
        OPTIONS.with(FaultTolerantTreeDescriptor.LINK_TIMEOUT, LinkTimeout.of("50ms"));
    assertThat(participation(ExchangeType.FT_TREE, fixed)).isEqualTo(new Participation.OfAll());
    assertThat(participation(ExchangeType.MESH, OPTIONS)).isInstanceOf(Participation.InViews.class);
    assertThat(participation(ExchangeType.RING, OPTIONS)).isEqualTo(new Participation.OfAll());
  }

  private static Participation participation(ExchangeType type, ExchangeOptions options) {
    ExchangeConfig config = new ExchangeConfig(0, 3, 10, 3, 0, options);
    return type.descriptor().create(config, new RecordingPort(new float[10])).participation();
  }
}
