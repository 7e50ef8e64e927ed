package dev.braid.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class EpochSetsTest {

  /** Compares with a set, after copying, writing and reading at every addition. */
  @Property(tries = 200)
  void epochsInAnyOrder(
      @ForAll @Size(max = 300) List<@IntRange(max = 400) Integer> epochs,
      @ForAll @IntRange(max = 60_000) int before) {
    EpochSets sets = new EpochSets(2);
    for (int epoch = 0; epoch < before; epoch++) {
      assertThat(sets.add(1, epoch)).isTrue();
    }
    Set<Integer> expected = new HashSet<>();
    for (int epoch : epochs) {
      assertThat(sets.add(1, before + epoch)).isEqualTo(expected.add(epoch));
      sets = reread(sets.copy());
    }
    for (int epoch = 0; epoch < before; epoch++) {
      assertThat(sets.add(1, epoch)).isFalse();
    }
    assertThat(sets.add(0, 0)).as("the neighbour's").isTrue();
  }

  private static EpochSets reread(EpochSets sets) {
    ByteBuffer bytes = ByteBuffer.allocate(sets.bytes(0) + sets.bytes(1));
    sets.write(0, bytes);
    sets.write(1, bytes);
    assertThat(bytes.remaining()).isZero();
    EpochSets again = new EpochSets(2);
    again.read(0, bytes.flip());
    again.read(1, bytes);
    return again;
  }

  @Example
  void inOrder_needsOneWord() {
    EpochSets sets = new EpochSets(1);
    int bytes = sets.bytes(0);
    for (int epoch = 0; epoch < 10_000; epoch++) {
      sets.add(0, epoch);
      assertThat(sets.bytes(0)).isEqualTo(bytes);
    }
  }

  @Example
  void anEpochThatNeverCame_isForgotten_whenThereAreTooMany() {
    EpochSets sets = new EpochSets(1);
    int told = EpochSets.MAX_WORDS * Long.SIZE;
    for (int epoch = 1; epoch <= 2 * told; epoch++) {
      assertThat(sets.add(0, epoch)).isTrue();
    }
    assertThat(sets.add(0, 0)).as("too long ago to tell").isFalse();
    assertThat(sets.bytes(0)).isLessThan(100);
  }

  @Example
  void tooManyWords_areRefused() {
    ByteBuffer bytes = ByteBuffer.allocate(20);
    bytes.putInt(0).putShort((short) EpochSets.MAX_WORDS).flip();
    assertThatThrownBy(() -> new EpochSets(1).read(0, bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1024 more words");
  }
}
