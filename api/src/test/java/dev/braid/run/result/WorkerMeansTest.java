package dev.braid.run.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import org.junit.jupiter.api.Test;

class WorkerMeansTest {

  /** Three workers in ten rounds each; one parent did not wait for one in each, another in half. */
  @Test
  void stragglersAreOfARound_andSumsOfAParent() {
    FigureValues sums = new FigureValues();
    sums.set(Figure.ROUNDS, 30);
    sums.set(Figure.STRAGGLERS, 15);
    sums.set(Figure.LATE_MESSAGES, 40);
    sums.set(Figure.DECODED_SETS, 3);
    sums.set(Figure.SUMS, 20);
    sums.set(Figure.SUM_TIME, 50e6);
    sums.set(Figure.TREE_CHILDREN, 3);
    sums.set(Figure.TREE_STRAGGLERS, 1);
    sums.set(Figure.PLANNED_TIME, 0.25);
    sums.set(Figure.PLANNED_TIME_BEFORE, 0.5);
    WorkerMeans means = WorkerMeans.of(sums, 3);
    assertThat(means.get(Figure.STRAGGLERS)).isEqualTo(1.5);
    assertThat(means.get(Figure.LATE_MESSAGES)).isEqualTo(40);
    assertThat(means.get(Figure.DECODED_SETS)).isEqualTo(3);
    assertThat(means.get(Figure.SUM_TIME)).isEqualTo(0.0025);
    assertThat(means.treeInWords())
        .contains(
            "planned: n = 3, s = 1, 250.0 ms per round expected, 500.0 ms with the tree before");
    assertThat(means.hasAnotherTreeThan(means)).isFalse();
  }

  @Test
  void whereNothingIsDecodedAllIsZero() {
    WorkerMeans means = WorkerMeans.of(new FigureValues(), 3);
    assertThat(means).isEqualTo(new WorkerMeans(0, 0, 0, 0, 0, 0, 0, 0));
    assertThat(means.treeInWords()).isEmpty();
  }

  @Test
  void jsonHasEachFigureThatIsKnown() {
    WorkerMeans plain = new WorkerMeans(0.7, 0.3, 0.2, 1.5, 4, 2.5, 1e6, 6);
    String json =
        "{\"computeSeconds\":0.7,\"exchangeSeconds\":0.3,\"waitSeconds\":0.2,\"staleness\":1.5,"
            + "\"worstStaleness\":4,\"partitions\":2.5,\"plannedBytesPerSecond\":1000000.0,"
            + "\"mostVectors\":6,\"stragglers\":0.0,\"lateMessages\":0,\"decodedSets\":0,"
            + "\"sumSeconds\":0.0}";
    assertThat(Json.write(plain)).isEqualTo(json);
    assertThat(Json.readStrictly(json, WorkerMeans.class)).isEqualTo(plain);
    WorkerMeans all =
        new WorkerMeans(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.1, 2, 3, 900, 10, 3, 1, 0.25, 0.5);
    assertThat(Json.write(all))
        .endsWith(
            ",\"density\":0.1,\"threshold\":2.0,\"residualNorm\":3.0,\"plainBytes\":900.0,"
                + "\"compressedBytes\":10.0,\"treeChildren\":3.0,\"treeStragglers\":1.0,"
                + "\"plannedSeconds\":0.25,\"plannedSecondsBefore\":0.5}");
    assertThat(Json.readStrictly(Json.write(all), WorkerMeans.class)).isEqualTo(all);
  }

  @Test
  void jsonWithoutAFigureOrWithAnotherOneIsRefused() {
    String json = Json.write(new WorkerMeans());
    String lacking = json.replace("\"staleness\":0.0,", "");
    assertThatThrownBy(() -> Json.readStrictly(lacking, WorkerMeans.class))
        .isInstanceOf(IllegalArgumentException.class);
    String more = json.replace("staleness", "stale");
    assertThatThrownBy(() -> Json.read(more, WorkerMeans.class))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
