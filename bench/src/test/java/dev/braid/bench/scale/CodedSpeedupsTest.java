package dev.braid.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.bench.scale.CodedCase.Scheme;
import dev.braid.bench.scale.CodedCase.Speedups;
import dev.braid.bench.scale.CodedCase.Task;
import dev.braid.bench.scale.CodedSimulation.Timed;
import dev.braid.bench.scale.CodedSpeedups.Row;
import dev.braid.bench.scale.RegressionRounds.Descent;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CodedSpeedupsTest {

  private static final List<CodedCase> CIFAR = CodedSpeedups.clusters(Task.CIFAR).get(0);

  /** Uses the times of the paper, and one that is fitted. */
  @Test
  void cifar_theModelGivesThePapersSpeedups_andBraidMore() {
    Row row = Row.of(CIFAR.get(0), CodedFit.of(CIFAR), 60);
    double[] paper = row.of().paper().all();
    double[] model = row.model().all();
    double[] simulated = row.simulated().all();
    for (int i = 0; i < paper.length; i++) {
      assertThat(model[i] / paper[i]).isBetween(0.95, 1.05);
      assertThat(simulated[i]).isGreaterThan(paper[i]);
    }
  }

  @Test
  void whichFiguresOfUncodedNoTimesGive() {
    for (CodedCase one : CodedCase.ALL) {
      boolean isTooSlow =
          one.workers() == 84 || Set.of(Task.LINEAR, Task.LARGE_LINEAR).contains(one.task());
      assertThat(one.isPossible()).as("%s", one).isEqualTo(!isTooSlow);
    }
  }

  /** The bound holds in the model for any times. */
  @Test
  void aMasterThatWaitsForAllTakesNoLongerThanTheBound() {
    CodedCase one = CodedCase.ALL.get(0);
    for (double[] times : new double[][] {{0, 0}, {10, 0}, {0, 100}, {500, 500}}) {
      CodedModel model = new CodedModel(one, new CodedConditions(1, times[0], times[1], 0.1, 0), 5);
      double most =
          model.seconds(Scheme.RING, 50)
              + model.seconds(Scheme.DROP_STRAGGLERS, 50)
                  * one.workers()
                  / (one.workers() - one.leftOut());
      assertThat(model.seconds(Scheme.UNCODED, 50)).isLessThanOrEqualTo(most);
    }
  }

  /** Only messages take time, one second each. */
  @Test
  void aRoundTakesTheMessagesThatAreTakenOneAfterTheOther() {
    CodedCase one = CodedCase.ALL.get(1);
    CodedModel model = new CodedModel(one, new CodedConditions(1, 0, 0, 0, 0), 5);
    assertThat(model.seconds(Scheme.UNCODED, 1)).isCloseTo(156, within(1e-9));
    assertThat(model.seconds(Scheme.GRADIENT_CODING, 1)).isCloseTo(143, within(1e-9));
    assertThat(model.seconds(Scheme.DROP_STRAGGLERS, 1)).isCloseTo(143, within(1e-9));
    assertThat(model.seconds(Scheme.RING, 1)).isCloseTo(2 * 155 / 156.0, within(1e-9));
    assertThat(model.seconds(Scheme.CODED, 1)).isCloseTo(22, within(1e-9));
  }

  @Test
  void loadsAreTheSchemes() {
    CodedCase one = CodedCase.ALL.get(2);
    assertThat(one.load(Scheme.RING)).isEqualTo(1.0 / 156);
    assertThat(one.load(Scheme.GRADIENT_CODING)).isEqualTo(27.0 / 156);
    assertThat(one.load(Scheme.CODED)).isCloseTo(1.0 / (4 + 16), within(1e-12));
  }

  @Test
  void whoIsDroppedIsNotCounted() {
    CodedCase one = CodedCase.ALL.get(0);
    CodedSimulation simulation =
        new CodedSimulation(one, new CodedConditions(0.05, 10, 10, 0.01, 0), 10);
    Timed dropped = simulation.run(Scheme.DROP_STRAGGLERS);
    assertThat(dropped.counted()).allMatch(counted -> counted.cardinality() == 84 - 21);
    Timed coded = simulation.run(Scheme.CODED);
    assertThat(coded.counted()).allMatch(counted -> counted.cardinality() == 84);
  }

  @Test
  void theFitFindsTheTimesThatSpeedupsWereMadeWith() {
    CodedCase like = CIFAR.get(0);
    CodedConditions made = new CodedConditions(0.05, 2.496, 2.496, 0.02, 0);
    Speedups speedups = new CodedModel(like, made, 9).speedups(200);
    CodedCase one = new CodedCase(Task.CIFAR, 156, 12, 5, speedups);
    assertThat(CodedFit.of(List.of(one)).hopSeconds()).isCloseTo(0.02, within(0.002));
  }

  @Test
  void gradientDescentComesToTheOptimum_andDroppingNotAsNear() {
    for (boolean isLogistic : new boolean[] {false, true}) {
      RegressionRounds data = new RegressionRounds(isLogistic, 600, 60, 1);
      Descent exact = data.descend(200);
      assertThat(exact.lastError()).isLessThan(0.01);
      assertThat(exact.roundsTo(exact.errors()[5])).isEqualTo(6);
      BitSet[] counted = new BitSet[200];
      Arrays.setAll(counted, round -> BitSet.valueOf(new long[] {0xFFF ^ (1 << round % 12)}));
      Descent dropping = data.descend(12, counted, Double.POSITIVE_INFINITY);
      assertThat(dropping.loss()).isGreaterThan(exact.loss());
    }
  }

  /** If all twelve shares are counted, they are the whole data. */
  @Test
  void allSharesAreTheWholeData() {
    RegressionRounds data = new RegressionRounds(false, 601, 40, 1);
    BitSet all = new BitSet();
    all.set(0, 12);
    BitSet[] counted = new BitSet[30];
    Arrays.fill(counted, all);
    assertThat(data.descend(12, counted, Double.POSITIVE_INFINITY).errors())
        .isEqualTo(data.descend(30).errors());
  }
}
