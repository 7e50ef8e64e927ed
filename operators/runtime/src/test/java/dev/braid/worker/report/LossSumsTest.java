package dev.braid.worker.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.FigureValues;
import dev.braid.learner.Learner;
import org.junit.jupiter.api.Test;

class LossSumsTest {

  @Test
  void lossesThatAreNotKnownHaveTheMeanOfTheOthers() {
    assertThat(LossSums.plus(6, 3, 8, 1)).isEqualTo(14);
    assertThat(LossSums.plus(6, 3, Double.NaN, 2)).isEqualTo(10);
    assertThat(LossSums.plus(Double.NaN, 2, 6, 3)).isEqualTo(10);
    assertThat(LossSums.plus(Double.NaN, 2, Double.NaN, 3)).isNaN();
  }

  @Test
  void noSamplesChangeNothing() {
    assertThat(LossSums.plus(0, 0, Double.NaN, 2)).isNaN();
    assertThat(LossSums.plus(Double.NaN, 0, 5, 2)).isEqualTo(5);
    assertThat(LossSums.plus(5, 2, Double.NaN, 0)).isEqualTo(5);
    assertThat(LossSums.plus(5, 2, 0, 0)).isEqualTo(5);
  }

  /** Three of four workers were late in the first round of all, and one in the second. */
  @Test
  void theMeanOfAnEpochIsThatOfTheKnownLosses() {
    EpochSums first = rank(Double.NaN, 4).plus(rank(Double.NaN, 4)).plus(rank(8, 4));
    EpochSums all = first.plus(rank(Double.NaN, 4));
    assertThat(all.lossSum() / all.samples()).isEqualTo(2);
    assertThat(all.samples()).isEqualTo(16);
  }

  private static EpochSums rank(double lossSum, long samples) {
    return new EpochSums(samples, lossSum, 0, 0, new FigureValues(), 0, Learner.Score.NONE);
  }
}
