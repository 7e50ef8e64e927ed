package dev.braid.exchange.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.message.Payload;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderedSumsTest {

  /** 2^24: adding 1 does not change this float, so the order of a sum shows. */
  private static final float BIG = 1 << 24;

  private final List<float[]> released = new ArrayList<>();
  private final OrderedSums sums = new OrderedSums(new int[] {1, 2}, 3);

  @Test
  void valuesAreAddedInTheOrderOfContributors_whicheverComesFirst() {
    assertThat(sums.add(0, 2, values(BIG), 4)).isFalse();
    assertThat(sums.add(0, 1, values(1), 2)).isFalse();
    assertThat(released).isEmpty();
    assertThat(sums.add(0, 0, values(1), 1)).isTrue();

    // (1 + 1) + 2^24 is 2 more, while (2^24 + 1) + 1 is 2^24.
    assertThat(sums.sum(0).toArray()).containsExactly(BIG + 2);
    assertThat(sums.samples(0)).isEqualTo(7);
    assertThat(released).hasSize(3);
  }

  @Test
  void chunksAreApart() {
    assertThat(sums.add(1, 0, values(1, 2), 1)).isFalse();
    assertThat(sums.add(0, 0, values(5), 1)).isFalse();
    assertThat(sums.add(1, 1, values(10, 20), 1)).isFalse();
    assertThat(sums.add(1, 2, values(100, 200), 1)).isTrue();
    assertThat(sums.sum(1).toArray()).containsExactly(111, 222);
  }

  @Test
  void clear_releasesWhatWaits_andBeginsAnew() {
    assertThat(sums.add(0, 0, values(1), 1)).isFalse();
    assertThat(sums.add(0, 2, values(3), 1)).isFalse();
    sums.clear();
    assertThat(released).hasSize(2);

    assertThat(sums.add(0, 0, values(10), 1)).isFalse();
    assertThat(sums.add(0, 1, values(20), 1)).isFalse();
    assertThat(sums.add(0, 2, values(30), 1)).isTrue();
    assertThat(sums.sum(0).toArray()).containsExactly(60);
    assertThat(sums.samples(0)).isEqualTo(3);
  }

  @Test
  void aChunkIsSummedAgainOnceItIsCleared() {
    assertThat(sums.add(0, 0, values(1), 1)).isFalse();
    assertThatThrownBy(() -> sums.add(0, 0, values(1), 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("contributor 0 has already sent its values of chunk 0");
    assertThat(sums.add(0, 1, values(2), 1)).isFalse();
    assertThat(sums.add(0, 2, values(3), 1)).isTrue();
    sums.clear(0);
    assertThat(sums.add(0, 2, values(30), 1)).isFalse();
    assertThat(sums.add(0, 1, values(20), 1)).isFalse();
    assertThat(sums.add(0, 0, values(10), 1)).isTrue();
    assertThat(sums.sum(0).toArray()).containsExactly(60);
  }

  private Payload values(float... of) {
    return Payload.of(Slice.lent(of, 0, of.length, released::add));
  }
}
