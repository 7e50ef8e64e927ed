package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.run.result.EpochLines;
import dev.braid.run.result.Evaluation;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EarlyStopTest {

  private static final List<Evaluation> LINES =
      List.of(
          EpochLines.of(1, 0.9),
          EpochLines.of(2, 0.97),
          EpochLines.of(3, 0.97),
          EpochLines.of(4, 0.96));

  @Test
  void saysWhyItEnded() {
    assertThat(EarlyStop.of(OptionalInt.of(2), 10, LINES))
        .hasValue("no improvement in 2 epochs since epoch 2: ended after epoch 4");
  }

  @Test
  void doesNotCountEpochsOfAPartOfTheTestSet() {
    List<Evaluation> lines = new ArrayList<>(LINES);
    lines.set(3, EpochLines.ofPart(4, 0.98));
    lines.add(EpochLines.of(5, 0.96));
    assertThat(EarlyStop.of(OptionalInt.of(2), 10, lines))
        .hasValue("no improvement in 2 epochs since epoch 2: ended after epoch 5");
    assertThat(EarlyStop.of(OptionalInt.of(3), 10, lines)).isEmpty();
  }

  @Test
  void saysNothingOfOthers() {
    assertThat(EarlyStop.of(OptionalInt.of(3), 10, LINES)).as("another reason").isEmpty();
    assertThat(EarlyStop.of(OptionalInt.of(2), 4, LINES)).as("all epochs").isEmpty();
    assertThat(EarlyStop.of(OptionalInt.empty(), 10, LINES)).as("none asked for").isEmpty();
    assertThat(EarlyStop.of(OptionalInt.of(2), 10, List.of())).isEmpty();
  }
}
