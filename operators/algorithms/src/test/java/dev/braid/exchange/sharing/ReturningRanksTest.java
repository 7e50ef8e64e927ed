package dev.braid.exchange.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Figure;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody.Part;
import dev.braid.exchange.message.ReplicaCopyBody.Request;
import dev.braid.exchange.message.ReplicaCopyBody.Steps;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.exchange.message.Transit;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Tests ranks that are excluded from a view, and rejoin in a later one, behind the others. */
class ReturningRanksTest {

  private static final int VIEW_BITS = 20;

  private final SplittableRandom random = new SplittableRandom(1);

  /** Views change at any time, also before a copy is complete, and also the master's. */
  @Property(tries = 120)
  void eachGradientIsInEachModelOnce(
      @ForAll long seed,
      @ForAll @IntRange(min = 2, max = 9) int count,
      @ForAll @IntRange(min = 2, max = 8) int children,
      @ForAll @IntRange(min = 0, max = 2) int staleness,
      @ForAll boolean isRare) {
    SplittableRandom drawn = new SplittableRandom(seed);
    SharingRanks ranks = new SharingRanks(count, children, staleness);
    List<Integer> all = IntStream.range(0, count).boxed().toList();
    for (int i = 0; i < 12; i++) {
      ranks.stallOthers(drawn);
      ranks.exchangeAtRandom(drawn.nextInt(isRare ? 40 * count : 8 * count), 0, drawn);
      List<Integer> members = new ArrayList<>(all);
      members.removeIf(rank -> drawn.nextInt(4) == 0);
      if (members.stream().anyMatch(rank -> ranks.elastic(rank).isCurrent())) {
        ranks.enter(members);
      }
    }
    ranks.enter(all);
    ranks.flush(drawn);
    ranks.assertSame();
    ranks.goOnFromCheckpoint();
    ranks.exchangeAtRandom(20 * count, 0, drawn);
    ranks.flush(drawn);
    ranks.assertSame();
  }

  /**
   * Returns four ranks, two of which were excluded, have rejoined, and have not asked for a copy
   * yet.
   */
  private SharingRanks withTwoBack() {
    SharingRanks ranks = new SharingRanks(4, 3, 1);
    ranks.exchangeAtRandom(60, 1, random);
    ranks.leaveOut(2, 3);
    ranks.exchangeAtRandom(60, 1, random);
    ranks.leaveOut();
    return ranks;
  }

  @Test
  void ranksThatAreBackAtOnceGetOneCopy() {
    SharingRanks ranks = withTwoBack();
    ranks.deliver(2, 0);
    ranks.contribute(0, 1, random);
    double logged = ranks.rank(0).figures().get(Figure.KEPT_VECTORS);
    ranks.deliver(3, 0);

    assertThat(ranks.modelsRead(0)).isEqualTo(1);
    assertThat(ranks.rank(0).figures().get(Figure.KEPT_VECTORS)).isEqualTo(logged);
    ranks.flush(random);
    ranks.assertSame();
    ranks.resume();
    assertThat(ranks.rank(0).figures().get(Figure.KEPT_VECTORS))
        .as("vectors when all have it")
        .isLessThan(logged);
  }

  /** The copy resumes where it was, because its master and one receiver are still there. */
  @Test
  void aCopyGoesOnWithTheNextView() {
    SharingRanks ranks = withTwoBack();
    ranks.deliver(2, 0);
    ranks.deliver(3, 0);
    while (!(ranks.deliver(0, 3).body() instanceof Part)) {
      // Continues up to the first part.
    }
    ranks.contribute(0, 1, random);
    ranks.leaveOut(1);

    ranks.deliver(3, 0);
    long parts = ranks.link(0, 3).stream().filter(it -> it.body() instanceof Part).count();
    assertThat(parts).isEqualTo(SharingRanks.CHUNKS - 1);
    assertThat(ranks.modelsRead(0)).isEqualTo(1);
    ranks.exchangeAtRandom(300, 1, random);
    assertThat(ranks.elastic(3).isCurrent()).isTrue();
    ranks.leaveOut();
    ranks.flush(random);
    ranks.assertSame();
  }

  /** A copy does not resume if all ranks that are behind are others, for which nothing was kept. */
  @Test
  void aCopyBeginsAnewForARankThatWasLeftOutMeanwhile() {
    SharingRanks ranks = withTwoBack();
    ranks.deliver(2, 0);
    ranks.deliver(3, 0);
    while (!(ranks.deliver(0, 3).body() instanceof Part)) {
      // Continues up to the first part.
    }
    ranks.leaveOut(2, 3);
    ranks.exchangeAtRandom(60, 1, random);
    ranks.leaveOut(2);
    ranks.deliver(3, 0);

    assertThat(ranks.modelsRead(0)).isEqualTo(2);
    ranks.exchangeAtRandom(60, 1, random);
    ranks.leaveOut();
    ranks.flush(random);
    ranks.assertSame();
  }

  /** No rank may stand still for as long as a copy takes. */
  @Test
  void aRankThatWaitsForACopyHasCheckpointsDeclined() {
    SharingRanks ranks = withTwoBack();
    assertThat(ranks.rank(0).unreachable()).isEmpty();
    assertThat(ranks.rank(3).unreachable()).containsExactly(3);
    ranks.flush(random);
    assertThat(ranks.rank(3).unreachable()).isEmpty();
  }

  /**
   * The rank has computed as much as it may while others were behind, in turns; then it is alone.
   */
  @Test
  void aRankThatIsAloneWaitsForNobody() {
    SharingRanks ranks = new SharingRanks(4, 3, 0);
    ranks.leaveOut(2, 3);
    for (int i = 0; ranks.rank(0).keptUpdates(0) < ranks.limits().keptOfOwn(); i++) {
      assertThat(i).as("views").isLessThan(10);
      ranks.leaveOut(2 + i % 2);
      computeAsMuchAsTheyMay(ranks, 0, 1);
    }
    ranks.leaveOut(1, 2, 3);
    assertThat(ranks.rank(0).mayCompute()).isTrue();
  }

  private void computeAsMuchAsTheyMay(SharingRanks ranks, int one, int other) {
    for (boolean isMore = true; isMore; ) {
      isMore = false;
      for (int rank : new int[] {one, other}) {
        if (ranks.rank(rank).mayCompute()) {
          ranks.contribute(rank, 1, random);
          isMore = true;
        }
        int peer = rank == one ? other : one;
        for (; !ranks.link(rank, peer).isEmpty(); isMore = true) {
          ranks.deliver(rank, peer);
        }
      }
    }
  }

  // ---- invalid messages ------------------------------------------------------------------------

  private static Message message(SharingRanks ranks, int from, int to, long number, Body body) {
    int generation = (int) ranks.view().number() << VIEW_BITS;
    return new Message(from, to, 0, new Transit(generation, number, 0, Route.DIRECT), body);
  }

  private static void refused(
      SharingRanks ranks, int from, int to, long number, Body body, String why) {
    float[] before = ranks.model(to).clone();
    assertThatThrownBy(() -> ranks.rank(to).receive(message(ranks, from, to, number, body)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
    assertThat(ranks.model(to)).containsExactly(before);
  }

  private static Part part(int vector, int start, int end) {
    Range range = new Range(start, end);
    return new Part(vector, range, Payload.view(new float[end], range));
  }

  @Test
  void aCopyIsTakenOfTheMasterOnly_whenItHasSaidWhatIsInIt() {
    SharingRanks ranks = withTwoBack();
    refused(ranks, 1, 3, 1, part(0, 0, 3), "copy from rank 1 for rank 3 with master 0");
    refused(ranks, 0, 3, 1, part(0, 0, 3), "copy from rank 0 for rank 3 with master 0");
    refused(ranks, 1, 0, 1, part(0, 0, 3), "copy from rank 1 for rank 0");
    assertThat(ranks.elastic(3).isCurrent()).isFalse();
  }

  @Test
  void aCopyHasNoOtherParts() {
    SharingRanks ranks = withTwoBack();
    ranks.deliver(3, 0);
    Message last = ranks.deliver(0, 3);
    while (!(last.body() instanceof Steps)) {
      last = ranks.deliver(0, 3);
    }
    long number = last.transit().number();
    refused(ranks, 0, 3, number + 1, part(1, 0, 3), "a chunk of 3 elements");
    refused(ranks, 0, 3, number + 2, part(Integer.MAX_VALUE, 0, 3), "a chunk of 3 elements");
    refused(ranks, 0, 3, number + 3, part(0, 1, 4), "a chunk of 3 elements");
    refused(ranks, 0, 3, number + 4, part(0, 6, 9), "a chunk of 3 elements");
  }

  @Test
  void aCopyIsSentToWhoIsBehind_once_andByTheMaster() {
    SharingRanks ranks = withTwoBack();
    refused(ranks, 1, 0, 1, Request.OF_ALL, "request one from master 0");
    refused(ranks, 3, 1, 1, Request.OF_ALL, "request one from master 0");
    refused(ranks, 3, 2, 1, Request.OF_ALL, "request one from master 0");
    ranks.deliver(3, 0);
    refused(ranks, 3, 0, 2, Request.OF_ALL, "request one from master 0");
    refused(ranks, 2, 0, 1, new Request(ranks.view().number(), 4), "must be at most 3");
  }

  @Test
  void beforeACopyComesWhatIsInItOnly() {
    SharingRanks ranks = withTwoBack();
    Range range = new Range(0, SharingRanks.CHUNK);
    SharedUpdate update =
        new SharedUpdate(1, 0, range, 1, Payload.view(new float[SharingRanks.CHUNK], range));
    refused(ranks, 0, 3, 1, update, "the model's copy is not known to contain it");
  }
}
