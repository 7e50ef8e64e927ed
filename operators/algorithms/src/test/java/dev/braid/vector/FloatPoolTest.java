package dev.braid.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FloatPoolTest {

  private final FloatPool pool = new FloatPool(8, 2);

  @Test
  void releasedArray_isLentAgain_atAnyShorterLength() {
    Slice first = pool.lend(8);
    first.release();
    Slice second = pool.lend(3);
    assertThat(second.array()).isSameAs(first.array());
    assertThat(second.length()).isEqualTo(3);
  }

  @Test
  void arrayThatIsOut_isNotLentTwice() {
    assertThat(pool.lend(8).array()).isNotSameAs(pool.lend(8).array());
  }

  @Test
  void staleRelease_doesNotTakeTheArrayFromItsNextBorrower() {
    Slice first = pool.lend(8);
    first.release();
    Slice second = pool.lend(8);
    first.release();
    assertThat(pool.lend(8).array()).isNotSameAs(second.array());
  }

  @Test
  void fullPool_forgetsWhatComesBack() {
    Slice[] lent = {pool.lend(8), pool.lend(8), pool.lend(8)};
    for (Slice slice : lent) {
      slice.release();
    }
    assertThat(pool.lend(8).array()).isSameAs(lent[0].array());
    assertThat(pool.lend(8).array()).isSameAs(lent[1].array());
    assertThat(pool.lend(8).array()).isNotSameAs(lent[2].array());
  }

  @Test
  void longerRequest_isAllocatedAndNotKept() {
    Slice big = pool.lend(9);
    big.release();
    assertThat(big.length()).isEqualTo(9);
    assertThat(pool.lend(8).array()).hasSize(8);
  }

  @Test
  void smallestPool_lendsItsOnlyElementAgain() {
    FloatPool smallest = new FloatPool(1, 1);
    Slice first = smallest.lend(1);
    first.release();
    assertThat(smallest.lend(1).array()).isSameAs(first.array());
  }

  @Test
  void arraysAreAsLongAsTheLongestRequest() {
    Slice shorter = pool.lend(3);
    assertThat(shorter.array()).hasSize(3);
    assertThat(pool.lend(5).array()).hasSize(5);
    Slice longer = pool.lend(2);
    assertThat(longer.array()).hasSize(5);
    shorter.release();
    longer.release();

    assertThat(pool.lend(4).array()).as("a new one: the first back is too short").hasSize(5);
    assertThat(pool.lend(4).array()).isSameAs(longer.array());
  }

  @Test
  void poolOfNothing_isRefused() {
    assertThatThrownBy(() -> new FloatPool(0, 1)).hasMessageContaining("pool of 1 arrays of 0");
    assertThatThrownBy(() -> new FloatPool(1, 0)).hasMessageContaining("pool of 0 arrays of 1");
  }
}
