package dev.braid.exchange.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sharing.AllHave;
import dev.braid.exchange.message.Sharing.Has;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.exchange.message.Sharing.SideHas;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.sharing.UpdateLog.Part;
import dev.braid.exchange.transport.Outbox;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rank 2 below rank 1, which became the master when rank 0 failed. */
class UpdateRelayTest {

  private static final int RANKS = 3;
  private static final int PARTS = 8;
  private static final int RANK = 2;
  private static final int MASTER = 1;

  private final UpdateLog log = new UpdateLog(RANKS, PARTS, 1, 0);
  private final RelayStatistics statistics = new RelayStatistics();
  private final List<Body> sent = new ArrayList<>();
  private final List<Part> applied = new ArrayList<>();
  private final UpdateRelay relay =
      new UpdateRelay(
          RANK,
          RANKS,
          RelayTree.of(new View(1, List.of(1, 2), 0, List.of(1, 2)), RANKS, 2),
          log,
          statistics,
          new UpdateRelay.Client() {
            @Override
            public void send(int to, Transit transit, Body body) {
              assertThat(to).isEqualTo(MASTER);
              sent.add(body);
            }

            @Override
            public void apply(Part part) {
              applied.add(part);
            }
          });

  private static SharedUpdate part(int origin, int index) {
    Range range = new Range(index, index + 1);
    return new SharedUpdate(origin, 0, range, 1, Payload.view(new float[PARTS], range));
  }

  private void open() {
    for (int origin = 0; origin < RANKS; origin++) {
      relay.receive(MASTER, new Has(origin, 0));
    }
    assertThat(relay.hasHeard(MASTER)).isTrue();
    relay.open(MASTER);
  }

  private List<SharedUpdate> updates() {
    return sent.stream()
        .filter(SharedUpdate.class::isInstance)
        .map(SharedUpdate.class::cast)
        .toList();
  }

  @Test
  void whatTheNeighbourLacksIsSent_asItsWindowAllows() {
    for (int i = 0; i < PARTS; i++) {
      log.add(log.part(part(RANK, i)));
    }
    open();
    assertThat(updates()).hasSize(Outbox.WINDOW_MESSAGES);
    relay.arrived(MASTER, updates().get(0));
    assertThat(updates()).hasSize(Outbox.WINDOW_MESSAGES + 1);
  }

  /** Another has sent it the rest, so that it is forgotten here. */
  @Test
  void whatAllHaveIsNotSentAnyMore() {
    for (int i = 0; i < PARTS; i++) {
      log.add(log.part(part(RANK, i)));
    }
    open();
    relay.receive(MASTER, new SideHas(RANK, PARTS));
    assertThat(log.notEverywhere(RANK)).isZero();

    List.copyOf(updates()).forEach(update -> relay.arrived(MASTER, update));
    assertThat(updates()).hasSize(Outbox.WINDOW_MESSAGES);
  }

  @Test
  void whatHasComeBeforeIsDiscarded_andNotSentBack() {
    open();
    relay.receive(MASTER, part(0, 0));
    relay.receive(MASTER, part(0, 0));
    relay.receive(MASTER, part(0, 1));

    assertThat(applied).hasSize(2);
    assertThat(updates()).isEmpty();
    assertThat(statistics.use().duplicates()).isEqualTo(1);
    assertThatThrownBy(() -> relay.receive(MASTER, part(0, 5)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theSameOriginSaidTwiceIsNoOther() {
    for (int i = 0; i < RANKS; i++) {
      relay.receive(MASTER, new Has(0, 0));
    }
    assertThat(relay.hasHeard(MASTER)).isFalse();
  }

  @Test
  void progressThatMakesNoSenseIsRefused() {
    open();
    for (AllHave wrong : List.of(new AllHave(RANK, 0), new AllHave(0, 1), new AllHave(3, 0))) {
      assertThatThrownBy(() -> relay.receive(MASTER, wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> relay.receive(0, new Has(0, 0)))
        .hasMessageContaining("is no neighbour");
  }
}
