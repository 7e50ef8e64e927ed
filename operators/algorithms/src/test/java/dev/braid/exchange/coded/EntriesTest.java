package dev.braid.exchange.coded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EntriesTest {

  private final Entries entries = new Entries(new int[] {3, 5}, true, 0);

  @Test
  void theFirstRoundEndsWhenAllAreInIt() {
    entries.enter(0, false);
    entries.entered(3, 0, 0);
    assertThat(entries.mayEnd(0)).isFalse();
    entries.entered(5, 0, 0);
    assertThat(entries.mayEnd(0)).isTrue();
  }

  @Test
  void laterOnesMayBeSoManyAheadOfTheLast() {
    allEnter(0);
    int most = Entries.MOST_ROUNDS_BEHIND;
    entries.entered(3, most, 0);
    for (int round = 1; round < most; round++) {
      entries.enter(round, false);
      assertThat(entries.mayEnd(round)).isTrue();
    }
    entries.enter(most, false);
    assertThat(entries.mayEnd(most)).isFalse();
    entries.entered(5, 1, 0);
    assertThat(entries.mayEnd(most)).isTrue();
  }

  @Test
  void afterAnEpochAllHaveToBeInTheNext() {
    allEnter(0);
    entries.enter(1, true);
    entries.entered(3, 1, 2);
    assertThat(entries.mayEnd(1)).as("the epoch's last round").isFalse();
    entries.entered(5, 1, 2);
    assertThat(entries.mayEnd(1)).isTrue();
    entries.enter(2, false);
    entries.entered(3, 2, 0);
    assertThat(entries.mayEnd(2)).isFalse();
    entries.entered(5, 2, 0);
    assertThat(entries.mayEnd(2)).isTrue();
  }

  /** With full batches, each round is the first and the last of its epoch. */
  @Test
  void whereEpochsHaveOneRoundAllHaveToBeInEach() {
    for (long round = 0; round < 20; round++) {
      entries.enter(round, true);
      entries.entered(3, round, round + 1);
      assertThat(entries.mayEnd(round)).as("round %d", round).isFalse();
      entries.entered(5, round, round + 1);
      assertThat(entries.mayEnd(round)).as("round %d", round).isTrue();
    }
    entries.forget(20);
    entries.enter(20, true);
    entries.entered(3, 20, 21);
    assertThat(entries.mayEnd(20)).as("after a checkpoint").isFalse();
    entries.entered(5, 20, 21);
    assertThat(entries.mayEnd(20)).isTrue();
  }

  @Test
  void noRoundEndsBeforeTheRankItselfIsInIt() {
    entries.entered(3, 1, 0);
    entries.entered(5, 1, 0);
    entries.enter(0, false);
    assertThat(entries.mayEnd(0)).isTrue();
    assertThat(entries.mayEnd(1)).isFalse();
  }

  @Test
  void whatAllAreInIsToldOnce_andAgainAfterARollBack() {
    assertThat(entries.isNews()).isFalse();
    allEnter(4);
    assertThat(entries.isNews()).isTrue();
    assertThat(entries.news()).isEqualTo(4);
    assertThat(entries.isNews()).isFalse();
    entries.forget(4);
    assertThat(entries.mayEnd(4)).isFalse();
    allEnter(4);
    assertThat(entries.news()).isEqualTo(4);
  }

  /** The rank has no batches, and learns from others where an epoch ends. */
  @Test
  void aRankThatComputesNothingIsInTheWayOfNoRound() {
    Entries ofRoot = new Entries(new int[] {3, 5}, false, 0);
    ofRoot.entered(3, 0, 0);
    assertThat(ofRoot.mayEnd(0)).isFalse();
    ofRoot.entered(5, 0, 1);
    assertThat(ofRoot.mayEnd(0)).isTrue();
    assertThat(ofRoot.barrier()).isOne();
    ofRoot.entered(3, 1, 1);
    assertThat(ofRoot.mayEnd(1)).isFalse();
    ofRoot.entered(5, 1, 1);
    assertThat(ofRoot.mayEnd(1)).isTrue();
    ofRoot.entered(3, 2, 3);
    assertThat(ofRoot.mayEnd(2)).as("the epoch's last round").isFalse();
    ofRoot.entered(5, 2, 3);
    assertThat(ofRoot.mayEnd(2)).isTrue();
  }

  private void allEnter(long round) {
    entries.enter(round, false);
    entries.entered(3, round, 0);
    entries.entered(5, round, 0);
  }
}
