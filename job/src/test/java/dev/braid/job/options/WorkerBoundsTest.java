package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.TrainingGraph;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerBoundsTest {

  @ParameterizedTest
  @CsvSource({
    "4, 1, 4, 4 workers",
    "1, 1, 1, 1 worker",
    "2..8, 2, 8, 2 to 8 workers",
    "8..8, 8, 8, 8 workers",
    "1..1, 1, 1, 1 worker"
  })
  void readsWhatItShows(String typed, int least, int most, String words) {
    WorkerBounds bounds = WorkerBounds.parse(typed);
    assertThat(bounds.atLeast()).isEqualTo(least);
    assertThat(bounds.most()).isEqualTo(most);
    assertThat(bounds.typed()).isEqualTo(typed);
    assertThat(bounds.inWords()).isEqualTo(words);
  }

  @Test
  void oneNumberIsNoBound() {
    assertThat(WorkerBounds.parse("4")).isEqualTo(WorkerBounds.of(4));
    assertThat(WorkerBounds.of(4).fewest()).isEqualTo(OptionalInt.empty());
  }

  @Test
  void allServersAreNeededBesides() {
    TrainOptions all = TrainingGraph.options("--workers=4", "--exchange=ps:servers=2");
    assertThat(all.fewestRanks()).isEqualTo(3);
    TrainOptions few = TrainingGraph.options("--workers=3..4", "--exchange=ps:servers=2");
    assertThat(few.ranks()).isEqualTo(6);
    assertThat(few.fewestRanks()).isEqualTo(5);
  }
}
