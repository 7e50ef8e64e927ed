package dev.braid.exchange.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class StrongestPartTest {

  @Test
  void theLargestPartGoesOn_ofEqualOnesThatWithTheLowestRank() {
    assertThat(StrongestPart.of(List.of(List.of(0), List.of(1, 2)))).contains(List.of(1, 2));
    assertThat(StrongestPart.of(List.of(List.of(1, 2), List.of(0, 3), List.of(4))))
        .contains(List.of(0, 3));
    assertThat(StrongestPart.of(List.of())).isEmpty();
  }

  @Test
  void halfTheRanksAreEnoughWithTheFirst() {
    assertThat(isMajority(4, Set.of(0, 3))).isTrue();
    assertThat(isMajority(4, Set.of(1, 2))).isFalse();
    assertThat(isMajority(5, Set.of(0, 1))).isFalse();
    assertThat(isMajority(1, Set.of(0))).isTrue();
    assertThat(isMajority(3, Set.of())).isFalse();
  }

  /** A rank that sees only its own part comes to the same result as one that sees all. */
  @Property
  void oneOfTwoPartsIsAMajority_andItIsTheOneThatGoesOn(
      @ForAll @IntRange(min = 1, max = 12) int ranks, @ForAll int members) {
    Set<Integer> part = ranksIn(ranks, members);
    Set<Integer> rest = ranksIn(ranks, ~members);
    assertThat(isMajority(ranks, part)).isNotEqualTo(isMajority(ranks, rest));
    Optional<List<Integer>> goesOn =
        StrongestPart.of(List.of(part.stream().sorted().toList(), rest.stream().sorted().toList()));
    assertThat(goesOn.map(Set::copyOf)).contains(isMajority(ranks, part) ? part : rest);
  }

  private static boolean isMajority(int ranks, Set<Integer> part) {
    return StrongestPart.isMajority(ranks, part::contains);
  }

  private static Set<Integer> ranksIn(int ranks, int bits) {
    return IntStream.range(0, ranks)
        .filter(rank -> (bits >> rank & 1) == 1)
        .boxed()
        .collect(Collectors.toSet());
  }
}
