package dev.braid.exchange.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sharing.AllHave;
import dev.braid.exchange.message.Sharing.Has;
import dev.braid.exchange.message.Sharing.Progress;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.exchange.message.Sharing.SideHas;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.sharing.UpdateLog.Part;
import dev.braid.exchange.transport.Flight;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests rank 2 below rank 1, which became the master when rank 0 failed. */
class UpdateRelayTest {

  private static final int RANKS = 3;
  private static final int PARTS = 8;
  private static final int APART = 2 * PARTS;
  private static final int RANK = 2;
  private static final int MASTER = 1;

  private final UpdateLog log = new UpdateLog(RANKS, PARTS, 1, 0);
  private final FigureValues counts = new FigureValues();
  private final List<Body> sent = new ArrayList<>();
  private final List<Part> applied = new ArrayList<>();
  private long nanos;
  private final UpdateRelay relay =
      new UpdateRelay(
          RANK,
          RANKS,
          RelayTree.of(new View(1, List.of(1, 2), 0, List.of(1, 2)), RANKS, 2),
          log,
          counts,
          new UpdateRelay.Limits(APART, 1 << 20),
          new UpdateRelay.Client() {
            @Override
            public long nowNanos() {
              return nanos;
            }

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
    relay.openIfHeard(MASTER);
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
    assertThat(updates()).hasSize(Flight.LEAST);
    relay.arrived(MASTER, updates().get(0));
    assertThat(updates()).hasSize(Flight.LEAST + 1);
  }

  /** Another rank has sent the rest to the neighbour, so it is forgotten here. */
  @Test
  void whatAllHaveIsNotSentAnyMore() {
    for (int i = 0; i < PARTS; i++) {
      log.add(log.part(part(RANK, i)));
    }
    open();
    relay.receive(MASTER, new SideHas(RANK, PARTS));
    assertThat(log.notEverywhere(RANK)).isZero();

    List.copyOf(updates()).forEach(update -> relay.arrived(MASTER, update));
    assertThat(updates()).hasSize(Flight.LEAST);
  }

  @Test
  void whatHasComeBeforeIsDiscarded_andNotSentBack() {
    open();
    relay.receive(MASTER, part(0, 0));
    relay.receive(MASTER, part(0, 0));
    relay.receive(MASTER, part(0, 1));

    assertThat(applied).hasSize(2);
    assertThat(updates()).isEmpty();
    assertThat(counts.get(Figure.DUPLICATE_UPDATES)).isEqualTo(1);
    assertThatThrownBy(() -> relay.receive(MASTER, part(0, 5)))
        .isInstanceOf(IllegalStateException.class);
  }

  /** If answers take 10 ms, the window doubles, because many more messages may be in flight. */
  @Test
  void theWindowGrowsWhereAnswersComeLate_andUpdatesWait() {
    for (int i = 0; i < PARTS; i++) {
      log.add(log.part(part(RANK, i)));
    }
    open();
    nanos = 10_000_000;
    List.copyOf(updates()).forEach(update -> relay.arrived(MASTER, update));
    assertThat(updates()).hasSize(PARTS);
    for (int i = 0; i < 3 * PARTS; i++) {
      log.add(log.part(new SharedUpdate(RANK, 1 + i, Range.EMPTY, 0, Payload.none())));
    }
    relay.added();
    assertThat(updates().size() - Flight.LEAST).isEqualTo(2 * Flight.LEAST);
  }

  private void refused(Body body, String why) {
    assertThatThrownBy(
            () -> {
              if (body instanceof Progress progress) {
                relay.receive(MASTER, progress);
              } else {
                relay.receive(MASTER, (SharedUpdate) body);
              }
            })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  /** A number that is too large would make this rank omit parts that the neighbour lacks. */
  @Test
  void aNeighbourHasWhatItMayHave_andSaysSoOnce() {
    for (int i = 0; i < PARTS; i++) {
      log.add(log.part(part(RANK, i)));
    }
    refused(new Has(RANK, PARTS + 1), "must be at most the number of computed parts");
    refused(new Has(MASTER, APART + 1), "at most 16 parts apart");
    refused(new Has(0, Long.MAX_VALUE), "at most 16 parts apart");
    refused(new Has(RANKS, 0), "the origin must be less than 3");
    relay.receive(MASTER, new Has(RANK, PARTS));
    refused(new Has(RANK, 0), "already reported");
    assertThat(relay.hasHeard(MASTER)).isFalse();
    assertThat(updates()).isEmpty();
  }

  @Test
  void nothingElseComesBeforeANeighbourHasSaidWhatItHas() {
    refused(part(MASTER, 0), "must report first which parts it has");
    refused(new SideHas(RANK, 0), "must report first which parts it has");
    refused(new AllHave(MASTER, 0), "must report first which parts it has");
    assertThat(applied).isEmpty();
  }

  @Test
  void onceItIsOpenALinkIsToldNothingThatOpensIt() {
    relay.openAll();
    refused(new Has(RANK, 0), "already reported");
  }

  /** Otherwise the rank would forget parts that the neighbour lacks, and never send them. */
  @Test
  void noSideHasMoreThanWasComputed() {
    open();
    for (int i = 0; i < PARTS; i++) {
      log.add(log.part(part(RANK, i)));
    }
    relay.added();
    refused(new SideHas(RANK, PARTS + 1), "must be at most the number of computed parts");
    refused(new SideHas(MASTER, 0), "the route to rank 1 leads through it");
    refused(new SideHas(0, APART + 1), "at most 16 parts apart");
    assertThat(log.notEverywhere(RANK)).isEqualTo(1);
  }

  @Test
  void progressThatMakesNoSenseIsRefused() {
    open();
    refused(new AllHave(RANK, 0), "the route to rank 2 does not lead through it");
    refused(new AllHave(0, 0), "the route to rank 0 does not lead through it");
    refused(new AllHave(MASTER, 1), "must be at most the number of this rank's parts");
    refused(new AllHave(RANKS, 0), "the origin must be less than 3");
    assertThatThrownBy(() -> relay.receive(0, new Has(0, 0)))
        .hasMessageContaining("must come from a neighbour");
  }
}
