package dev.braid.connectors.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.DataLocation;
import dev.braid.learner.Batch;
import dev.braid.learner.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HoldoutTest {

  private static final int ROWS = 90;

  @TempDir private Path folder;
  private Samples all;

  /** Writes samples whose feature is their number. */
  @BeforeEach
  void read() throws IOException {
    List<String> rows =
        IntStream.range(0, ROWS).mapToObj(i -> i + "," + (i % 2 == 0 ? "a" : "b")).toList();
    Path file = Files.write(folder.resolve("t.csv"), rows);
    Files.write(folder.resolve("t.test.csv"), rows);
    all = DataLocation.of(file.toString()).check().location().openTrain();
  }

  private static List<Integer> numbers(Samples samples) {
    int[] ids = IntStream.range(0, samples.size()).toArray();
    List<Integer> numbers = new ArrayList<>();
    for (boolean isDeferred : new boolean[] {false, true}) {
      Batch batch = isDeferred ? samples.deferredBatch(3, ids, true) : samples.batch(3, ids, true);
      assertThat(batch.ids()).isEqualTo(ids);
      assertThat(batch.epoch()).isEqualTo(3);
      assertThat(batch.lastOfEpoch()).isTrue();
      numbers.clear();
      for (int id : ids) {
        float[] feature = new float[1];
        samples.copyFeatures(id, feature, 0);
        numbers.add((int) feature[0]);
        assertThat(batch.labels()[id]).isEqualTo((int) feature[0] % 2);
        assertThat(samples.label(id)).isEqualTo((int) feature[0] % 2);
      }
    }
    return numbers;
  }

  @Test
  void eachSampleIsInOneOfTheTwoParts() {
    Holdout holdout = new Holdout(ROWS, 9, 7);
    List<Integer> held = numbers(holdout.heldOf(all));
    List<Integer> training = numbers(holdout.trainingOf(all));
    assertThat(held).hasSize(9).isSorted();
    assertThat(training).hasSize(81).hasSize(holdout.training()).isSorted();
    assertThat(held).doesNotContainAnyElementsOf(training);
  }

  @Test
  void theSeedDecidesWhichTheyAre() {
    List<Integer> held = numbers(new Holdout(ROWS, 9, 7).heldOf(all));
    assertThat(numbers(new Holdout(ROWS, 9, 7).heldOf(all))).isEqualTo(held);
    assertThat(numbers(new Holdout(ROWS, 9, 8).heldOf(all))).isNotEqualTo(held);
    // A larger holdout includes these samples, so that it contains no sample that was trained on.
    assertThat(numbers(new Holdout(ROWS, 20, 7).heldOf(all))).containsAll(held);
  }

  @Test
  void withoutAnyAllSamplesAreTrainedOn() {
    assertThat(Holdout.none(ROWS).trainingOf(all)).isSameAs(all);
    assertThatThrownBy(() -> new Holdout(9, 9, 1)).isInstanceOf(IllegalArgumentException.class);
  }
}
