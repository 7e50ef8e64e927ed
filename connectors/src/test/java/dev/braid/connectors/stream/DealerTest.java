package dev.braid.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Digested;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DealerTest {

  private static final SortedMap<Integer, Long> NONE = new TreeMap<>();

  private static SortedMap<Integer, Long> offsets(long of0, long of1) {
    return new TreeMap<>(Map.of(0, of0, 1, of1));
  }

  private static StreamState begin(SortedMap<Integer, Long> until) {
    return new StreamState(
        "", "lineage", 1, "id", "form", 1, 0, offsets(0, 0), "", until, List.of());
  }

  private static Dealer dealer(StreamState state, long endRound, StreamPosition... positions) {
    return new Dealer(
        new Dealer.Rules(2, 10, Duration.ofMillis(50), endRound),
        state,
        List.of(),
        List.of(positions));
  }

  private static Dealer dealer() {
    Dealer dealer = dealer(begin(NONE), Long.MAX_VALUE);
    dealer.positions().forEach(dealer::tell);
    return dealer;
  }

  @Test
  void aDealIsForReadersWhenItIsInTheLineage() {
    Dealer dealer = dealer();
    StreamPosition first = new StreamPosition(0, 2, 0);
    List<LineageEntry> lines = dealer.looked(offsets(40, 0), NONE, 0);
    assertThat(lines).hasSize(1);
    assertThat(dealer.tell(first)).isEmpty();
    assertThat(dealer.looked(offsets(80, 0), NONE, 1)).isEmpty();
    StreamState during = dealer.snapshot(1);
    assertThat(during.entries()).isEqualTo(1);
    assertThat(during.deals()).isEmpty();
    assertThat(during.next()).isEqualTo(offsets(0, 0));

    assertThat(dealer.appended(List.of(0, 1))).hasSize(1);
    assertThat(dealer.tell(first)).hasSize(1);
    StreamState after = dealer.snapshot(2);
    assertThat(after.entries()).isEqualTo(2);
    assertThat(after.deals()).hasSize(1);
    assertThat(after.next()).isEqualTo(offsets(40, 0));
  }

  @Test
  void aRoundIsShortWhenARecordHasWaited() {
    Dealer dealer = dealer();
    long wait = Duration.ofMillis(50).toNanos();
    assertThat(dealer.looked(offsets(3, 0), NONE, 7)).isEmpty();
    assertThat(dealer.looked(offsets(3, 1), NONE, 6 + wait)).isEmpty();
    assertThat(dealer.looked(offsets(3, 1), NONE, 7 + wait)).hasSize(1);
  }

  @Test
  void readersGetNoMoreThanTheyAreToHaveAhead() {
    Dealer dealer = dealer();
    long all = 20L * Dealer.MOST_ROUNDS * Dealer.AHEAD;
    assertThat(dealer.looked(offsets(2 * all, 0), NONE, 0)).hasSize(Dealer.AHEAD);
    dealer.appended(List.of(0, 1));
    dealer.used(0);
    assertThat(dealer.looked(offsets(2 * all, 0), NONE, 1)).isEmpty();
    dealer.used(1);
    assertThat(dealer.looked(offsets(2 * all, 0), NONE, 2)).hasSize(1);
  }

  @Test
  void itIsOverWhenTheLastDealIsAppended() {
    Dealer dealer = dealer(begin(offsets(15, 0)), Long.MAX_VALUE);
    assertThat(dealer.looked(offsets(30, 9), NONE, 0)).hasSize(1);
    assertThat(dealer.isOver()).isFalse();
    dealer.appended(List.of());
    assertThat(dealer.isOver()).isTrue();
    assertThat(dealer.snapshot(1).next()).isEqualTo(offsets(15, 0));
  }

  @Test
  void aRestoredRunMayEndBeforeWhereItIs() {
    StreamState state = begin(NONE).at(9, 30, offsets(600, 0), "", List.of());
    Dealer dealer = dealer(state, 20, new StreamPosition(1, 2, 30), new StreamPosition(0, 2, 30));
    assertThat(dealer.looked(offsets(900, 0), NONE, 0)).isEmpty();
    assertThat(dealer.isOver()).isTrue();
  }

  @Test
  void digestsWaitForAnAppendThatIsUnderWay() {
    Dealer dealer = dealer();
    dealer.looked(offsets(40, 0), NONE, 0);
    assertThat(dealer.digested(10, "ab")).isEmpty();
    dealer.appended(List.of(0, 1));
    assertThat(dealer.rest()).containsExactly(new Digested(10, "ab"));
    assertThat(dealer.rest()).isEmpty();
  }

  @Test
  void aPositionThatIsMissingIsFound() {
    assertThatThrownBy(() -> dealer(begin(NONE), 20, new StreamPosition(1, 2, 0)))
        .isInstanceOf(IllegalStateException.class);
  }
}
