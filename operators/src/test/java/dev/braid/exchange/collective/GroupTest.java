package dev.braid.exchange.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GroupTest {

  @Test
  void membersHaveTheGivenOrder() {
    Group column = Group.of(6, 2, 6, 4);
    assertThat(column.size()).isEqualTo(3);
    assertThat(column.position()).isEqualTo(1);
    assertThat(column.rank()).isEqualTo(6);
    assertThat(column.member(2)).isEqualTo(4);
  }

  @Test
  void aGroupOfAllIsInTheOrderOfRanks() {
    Group all = Group.ofAll(2, 4);
    assertThat(all.size()).isEqualTo(4);
    assertThat(all.position()).isEqualTo(2);
    assertThat(all.member(3)).isEqualTo(3);
  }

  @Test
  void aRankThatIsNoMemberIsRefused() {
    assertThatThrownBy(() -> Group.of(1, 0, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("rank 1 is not in its group [0, 2]");
  }

  @Test
  void aMemberTwiceIsRefused() {
    assertThatThrownBy(() -> Group.of(1, 1, 2, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[1, 2, 1]");
  }
}
