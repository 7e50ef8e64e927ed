package dev.braid.exchange.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ReadyChunksTest {

  /** Uses parts of another length, in any order. */
  @Property
  void eachChunkIsWholeOnce_whenAllOfItIsThere(
      @ForAll @IntRange(min = 1, max = 100) int length,
      @ForAll @IntRange(min = 1, max = 20) int chunkLength,
      @ForAll @IntRange(min = 1, max = 20) int partLength,
      @ForAll long seed) {
    Range all = Range.ofLength(length);
    List<Range> parts = new ArrayList<>(cut(all, partLength));
    Collections.shuffle(parts, new Random(seed));
    ReadyChunks chunks = new ReadyChunks(cut(all, chunkLength));
    boolean[] isThere = new boolean[length];
    List<Integer> whole = new ArrayList<>();
    for (Range part : parts) {
      for (int i = part.start(); i < part.end(); i++) {
        isThere[i] = true;
      }
      chunks.add(part, whole::add);
      for (int index = 0; index < chunks.size(); index++) {
        boolean expected = true;
        for (int i = chunks.chunk(index).start(); i < chunks.chunk(index).end(); i++) {
          expected &= isThere[i];
        }
        assertThat(chunks.isWhole(index)).isEqualTo(expected);
        assertThat(whole.contains(index)).isEqualTo(expected);
      }
    }
    assertThat(whole).hasSize(chunks.size()).doesNotHaveDuplicates();
  }

  private static List<Range> cut(Range all, int length) {
    List<Range> cut = new ArrayList<>();
    for (int i = 0; i < all.chunks(length); i++) {
      cut.add(all.chunk(i, length));
    }
    return cut;
  }

  @Example
  void whatIsBetweenChunks_isOfNone() {
    ReadyChunks chunks = new ReadyChunks(List.of(new Range(2, 4), new Range(6, 8)));
    List<Integer> whole = new ArrayList<>();
    chunks.add(new Range(0, 2), whole::add);
    chunks.add(new Range(4, 7), whole::add);
    assertThat(whole).isEmpty();
    chunks.add(new Range(7, 9), whole::add);
    assertThat(whole).containsExactly(1);
  }

  @Example
  void aRangeThatIsNoChunk_isRefused() {
    ReadyChunks chunks = new ReadyChunks(List.of(new Range(2, 4)));
    assertThat(chunks.indexOf(new Range(2, 4))).isZero();
    assertThatThrownBy(() -> chunks.indexOf(new Range(2, 3)))
        .hasMessageContaining("must be over one of the chunks");
  }

  @Example
  void inTheNextRound_chunksAreThereAgain() {
    ReadyChunks chunks = new ReadyChunks(cut(Range.ofLength(4), 2));
    List<Integer> whole = new ArrayList<>();
    chunks.add(Range.ofLength(4), whole::add);
    chunks.clear(0);
    chunks.add(new Range(0, 2), whole::add);
    chunks.clear();
    assertThat(chunks.isWhole(1)).isFalse();
    chunks.add(new Range(0, 3), whole::add);
    assertThat(whole).containsExactly(0, 1, 0, 0);
  }
}
