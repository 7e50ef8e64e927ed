package dev.braid.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class RangeTest {

  @Property
  void parts_followEachOtherAndDifferByAtMostOne(
      @ForAll @IntRange(max = 1_000_000) int start,
      @ForAll @IntRange(max = 100_000) int length,
      @ForAll @IntRange(min = 1, max = 200) int parts) {
    Range whole = new Range(start, start + length);
    int end = start;
    for (int i = 0; i < parts; i++) {
      Range part = whole.part(i, parts);
      assertThat(part.start()).isEqualTo(end);
      assertThat(part.length()).isBetween(length / parts, (length + parts - 1) / parts);
      end = part.end();
    }
    assertThat(end).isEqualTo(whole.end());
  }

  @Property
  void chunks_followEachOtherAndAreFullButTheLast(
      @ForAll @IntRange(max = 1_000) int start,
      @ForAll @IntRange(max = 5_000) int length,
      @ForAll @IntRange(min = 1, max = 6_000) int chunkLength) {
    Range whole = new Range(start, start + length);
    int chunks = whole.chunks(chunkLength);
    int end = start;
    for (int i = 0; i < chunks; i++) {
      Range chunk = whole.chunk(i, chunkLength);
      assertThat(chunk.start()).isEqualTo(end);
      assertThat(chunk.length()).isPositive();
      assertThat(chunk.length() == chunkLength || i == chunks - 1).isTrue();
      end = chunk.end();
    }
    assertThat(end).isEqualTo(whole.end());
  }

  @Example
  void chunkLengthWithoutBound_isOneChunk() {
    Range range = new Range(100, 300);
    assertThat(range.chunks(Integer.MAX_VALUE)).isEqualTo(1);
    assertThat(range.chunk(0, Integer.MAX_VALUE)).isEqualTo(range);
  }

  @Example
  void partsOfTheLongestVector_doNotOverflow() {
    Range whole = Range.ofLength(Integer.MAX_VALUE);
    assertThat(whole.part(999, 1_000).end()).isEqualTo(Integer.MAX_VALUE);
    assertThat(whole.chunks(2)).isEqualTo(1 << 30);
    assertThat(whole.chunk((1 << 30) - 1, 2)).isEqualTo(new Range(0x7FFFFFFE, 0x7FFFFFFF));
  }

  @Example
  void emptyRange_hasEmptyPartsAndNoChunks() {
    assertThat(Range.EMPTY.part(2, 3).isEmpty()).isTrue();
    assertThat(Range.EMPTY.chunks(5)).isZero();
  }

  @Example
  void whatIsNone_isRefusedByName() {
    assertThatThrownBy(() -> new Range(3, 2)).hasMessageContaining("range [3, 2)");
    assertThatThrownBy(() -> new Range(-1, 2)).hasMessageContaining("range [-1, 2)");
    assertThatThrownBy(() -> Range.ofLength(5).part(3, 3)).hasMessageContaining("part 3 of 3");
    assertThatThrownBy(() -> Range.ofLength(5).chunk(3, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
