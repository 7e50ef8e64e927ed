package dev.braid.exchange.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sharing.SharedUpdate;
import dev.braid.exchange.sharing.UpdateLog.Part;
import dev.braid.vector.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpdateLogTest {

  private static final int RANKS = 3;

  /** A log of 10 elements in chunks of 4: each update has 3 parts. */
  private final UpdateLog log = new UpdateLog(RANKS, 10, 4, 2);

  private static SharedUpdate update(int origin, long number, int start, int end) {
    Range range = new Range(start, end);
    return new SharedUpdate(origin, number, range, 1, Payload.view(new float[10], range));
  }

  private static SharedUpdate empty(int origin, long number) {
    return new SharedUpdate(origin, number, Range.EMPTY, 0, Payload.none());
  }

  private void add(SharedUpdate... updates) {
    for (SharedUpdate update : updates) {
      log.add(log.part(update));
    }
  }

  @Test
  void aPartsPlaceFollowsFromItsUpdateAndItsRange() {
    assertThat(log.part(update(1, 2, 0, 4)).place()).isEqualTo(6);
    assertThat(log.part(update(1, 2, 8, 10)).next()).isEqualTo(9);
    assertThat(log.part(empty(1, 2)).place()).isEqualTo(6);
    assertThat(log.part(empty(1, 2)).next()).isEqualTo(9);
  }

  @Test
  void eachIsAddedOnce_andInOrder() {
    add(update(1, 2, 0, 4), update(1, 2, 4, 8));
    assertThat(log.has(log.part(update(1, 2, 0, 4)))).isTrue();
    assertThat(log.has(log.part(update(1, 2, 8, 10)))).isFalse();
    assertThat(log.updates(1)).isEqualTo(2);
    assertThatThrownBy(() -> add(update(1, 3, 0, 4)))
        .hasMessage("part 9 of rank 1's updates: must be part 8, which is next");

    add(update(1, 2, 8, 10), empty(1, 3));
    assertThat(log.updates(1)).isEqualTo(4);
    assertThat(log.notEverywhere(1)).isEqualTo(2);
    assertThat(log.updates(0)).isEqualTo(2);
  }

  @Test
  void whatAllHaveIsForgotten() {
    add(update(1, 2, 0, 4), update(1, 2, 4, 8), update(1, 2, 8, 10), empty(1, 3));
    assertThat(log.keptBytes()).isEqualTo(40);
    assertThat(log.allHave(1, 9)).isTrue();
    assertThat(log.allHave(1, 9)).isFalse();
    assertThat(log.keptBytes()).isZero();
    assertThat(log.get(1, 9).update()).isEqualTo(empty(1, 3));
    assertThatThrownBy(() -> log.get(1, 8)).hasMessageContaining("is not kept");
  }

  @Test
  void updatesOfOtherRanksOrOtherChunksAreRefused() {
    for (SharedUpdate wrong :
        List.of(
            update(3, 2, 0, 4),
            update(1, 2, 0, 3),
            update(1, 2, 1, 5),
            update(1, 2, 4, 10),
            update(1, Long.MAX_VALUE / 2, 0, 4))) {
      assertThatThrownBy(() -> log.part(wrong)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Otherwise its message would count for parts of which others report something else. */
  @Test
  void anUpdateHasASampleOrNone() {
    add(update(1, 2, 0, 4));
    assertThatThrownBy(() -> log.has(log.part(empty(1, 2))))
        .hasMessageContaining("update 2 of rank 1 without samples: 1 of its 3 parts are here");
  }

  @Test
  void aCopyThatCannotBeOneChangesNothing() {
    add(empty(2, 2), update(0, 2, 0, 4));
    List<Part> staged = List.of(log.part(update(1, 5, 0, 4)), log.part(update(1, 5, 4, 8)));
    assertThatThrownBy(() -> log.adopt(2, new long[] {6, 17, 10}, staged))
        .hasMessage("copy with 10 parts of rank 2's updates: must be at most 9, the computed ones");
    for (int has : new int[] {16, 18}) {
      assertThatThrownBy(() -> log.adopt(2, new long[] {6, has, 9}, staged))
          .hasMessageContaining("parts 16 to 17 of rank 1's updates before a copy");
    }
    List<Part> withGap = List.of(staged.get(0), log.part(update(1, 5, 8, 10)));
    assertThatThrownBy(() -> log.adopt(2, new long[] {6, 18, 9}, withGap))
        .hasMessageContaining("must end before part 17");
    assertThat(log.has()).containsExactly(7, 6, 9);
  }

  /** The copy has one update of rank 0 fewer, and two parts of rank 1 that may be requested. */
  @Test
  void aCopyBringsWhatItsModelHas_andWhatMayBeAskedFor_andLeavesWhatIsThisRanksOwn() {
    add(empty(2, 2), update(0, 2, 0, 4), empty(1, 2));
    add(update(2, 3, 0, 4), update(2, 3, 4, 8), update(2, 3, 8, 10));
    List<Part> staged = List.of(log.part(update(1, 5, 0, 4)), log.part(update(1, 5, 4, 8)));
    List<Part> own = List.copyOf(log.adopt(2, new long[] {6, 17, 10}, staged));

    assertThat(own).extracting(Part::place).containsExactly(10L, 11L);
    assertThat(log.has()).containsExactly(6, 17, 12);
    assertThat(log.get(1, 15).update().number()).isEqualTo(5);
    assertThat(log.allHave(1)).isEqualTo(15);
    assertThat(log.allHave(0)).isEqualTo(6);
    assertThat(log.get(2, 6).next()).isEqualTo(9);
  }
}
