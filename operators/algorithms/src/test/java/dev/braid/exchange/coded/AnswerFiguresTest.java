package dev.braid.exchange.coded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.topology.RegularTree;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class AnswerFiguresTest {

  private static final int ROOT = 0;

  private final AnswerFigures figures = new AnswerFigures();

  private static BitSet children(int... numbers) {
    BitSet set = new BitSet();
    for (int number : numbers) {
      set.set(number);
    }
    return set;
  }

  private FigureValues values() {
    FigureValues values = new FigureValues();
    figures.addTo(values);
    return values;
  }

  private static FigureValues values(long stragglers, int sets, long sums, long sumNanos) {
    FigureValues values = new FigureValues();
    values.add(Figure.STRAGGLERS, stragglers);
    values.add(Figure.DECODED_SETS, sets);
    values.add(Figure.SUMS, sums);
    values.add(Figure.SUM_TIME, sumNanos);
    return values;
  }

  @Test
  void theSetsOfTwoRolesAreToldApart() {
    for (int round = 0; round < 2; round++) {
      figures.summed(ROOT, children(0, 1), 1, 10);
      figures.summed(RegularTree.MASTER, children(0, 1), 2, 20);
      figures.roundEnds(true, 50);
    }
    assertThat(values()).isEqualTo(values(6, 2, 2, 60));
  }

  /** The wait is from the time at which only answers were missing to the last sum of the round. */
  @Test
  void howLongSumsWaitForAnswersIsCounted() {
    figures.waits(100);
    figures.waits(140);
    figures.summed(ROOT, children(0, 1), 1, 150);
    figures.roundEnds(true, 160);
    assertThat(values().get(Figure.ANSWER_WAIT)).isEqualTo(50);
    figures.summed(RegularTree.MASTER, children(0, 1), 1, 250);
    figures.waits(300);
    figures.roundEnds(true, 310);
    assertThat(values().get(Figure.ANSWER_WAIT))
        .as("its own gradient was not needed")
        .isEqualTo(50);
    figures.waits(400);
    figures.roundEnds(false, 500);
    figures.waits(600);
    figures.summed(ROOT, children(0, 1), 1, 601);
    figures.roundEnds(true, 602);
    assertThat(values().get(Figure.ANSWER_WAIT)).isEqualTo(51);
  }

  @Test
  void aRoundThatIsRolledBackIsCountedWhenItHasEnded() {
    figures.summed(ROOT, children(0, 1), 1, 10);
    figures.roundEnds(false, 15);
    assertThat(values()).isEqualTo(new FigureValues());
    figures.summed(ROOT, children(1, 2), 1, 20);
    figures.roundEnds(true, 50);
    assertThat(values()).isEqualTo(values(1, 1, 1, 30));
  }
}
