package dev.braid.exchange.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sharing.Has;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.exchange.message.Sharing.SideHas;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.option.Compression;
import dev.braid.vector.Range;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Tests ranks of one view, whose links lose nothing. */
class GradientSharingTest {

  /**
   * A checkpoint drops the messages in flight: acknowledgements, and updates that all ranks have.
   * No rank waits for them: the next gradients reach all ranks, and the next checkpoint completes.
   */
  @Property(tries = 120)
  void nothingIsMissedThatACheckpointDrops(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 9) int count,
      @ForAll @IntRange(min = 2, max = 8) int children,
      @ForAll @IntRange(min = 0, max = 3) int staleness) {
    SplittableRandom random = new SplittableRandom(seed);
    SharingRanks ranks = new SharingRanks(count, children, staleness);
    for (int checkpoint = 0; checkpoint < 4; checkpoint++) {
      ranks.exchangeAtRandom(12 * count, 0, random);
      ranks.flush(random);
      ranks.assertSame();
      ranks.goOnFromCheckpoint();
    }
  }

  /** Links are stalled, each for some time. */
  @Property(tries = 40)
  void asManyUpdatesAreKeptAsIsSaid(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 9) int count,
      @ForAll @IntRange(min = 2, max = 8) int children,
      @ForAll @IntRange(min = 0, max = 3) int staleness) {
    SplittableRandom random = new SplittableRandom(seed);
    SharingRanks ranks = new SharingRanks(count, children, staleness);
    SharingLimits limits = ranks.limits();
    for (int i = 0; i < 200 * count; i++) {
      if (i % (10 * count) == 0) {
        ranks.stallOthers(random);
      }
      ranks.exchangeAtRandom(1, 1, random);
      for (int rank = 0; rank < count; rank++) {
        for (int origin = 0; origin < count; origin++) {
          long most = rank == origin ? limits.keptOfOwn() : limits.keptOfOther();
          assertThat(ranks.rank(rank).keptUpdates(origin)).isLessThanOrEqualTo(most);
        }
      }
    }
  }

  private static Message message(int from, long number, Body body) {
    return new Message(from, 0, 0, new Transit(0, number, 0, Route.DIRECT), body);
  }

  private static SharedUpdate update(int origin, long number) {
    Range range = new Range(0, SharingRanks.CHUNK);
    return new SharedUpdate(
        origin, number, range, 1, Payload.view(new float[SharingRanks.LENGTH], range));
  }

  @Test
  void whereNothingIsChosenItHangsOnTheMomentum() {
    ExchangeOptions options = ExchangeOptions.defaults(4);
    SharingDescriptor sharing = new SharingDescriptor();
    assertThat(sharing.compression(options)).hasToString("threshold:warm");
    assertThat(sharing.compression(options, 0)).hasToString("threshold:warm");
    assertThat(sharing.compression(options, 0.5f)).hasToString("threshold:warm");
    assertThat(sharing.compression(options, 0.9f)).hasToString("dgc:0.1%");
    Compression theirs = Compression.of("threshold:adaptive");
    ExchangeOptions chosen = options.with(Compression.OPTION, theirs);
    assertThat(sharing.compression(chosen)).isEqualTo(theirs);
    assertThat(sharing.compression(chosen, 0.9f)).isEqualTo(theirs);
  }

  /** A message that names no valid rank fails the run, and does not change the model. */
  @Test
  void whatMakesNoSenseIsRefused() {
    SharingRanks ranks = new SharingRanks(3, 2, 0);
    GradientSharing master = ranks.rank(0);
    assertThatThrownBy(() -> master.receive(message(1, 1, update(3, 0))))
        .hasMessageContaining("update 0 of rank 3: the rank must be less than 3");
    assertThatThrownBy(() -> master.receive(message(1, 2, update(1, Long.MAX_VALUE))))
        .hasMessageContaining("update " + Long.MAX_VALUE + " of rank 1");
    assertThatThrownBy(() -> master.receive(message(1, 3, update(0, 0))))
        .hasMessageContaining("update 0 of this rank, 0, from rank 1: must be less than 0");
    assertThatThrownBy(() -> master.receive(message(1, 4, update(1, 5))))
        .hasMessageContaining("must be part 0");
    assertThatThrownBy(() -> master.receive(message(1, 5, new SideHas(7, 0))))
        .hasMessageContaining("the origin must be less than 3");
    assertThatThrownBy(() -> master.receive(message(7, 1, new Has(0, 0))))
        .hasMessageContaining("rank 7: must come from a neighbour of rank 0");
    assertThat(ranks.model(0)).containsOnly(0);
  }
}
