package dev.braid.job.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.console.Terminal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonPlanTest {

  @TempDir private Path folder;

  @Test
  void eachRunHasItsExchange_andTheOptionsForAll() {
    List<TrainRun> runs =
        ComparisonPlan.of(
            ExchangeSpec.list("ring,ps:consistency=ssp,servers=1"),
            List.of("--epochs", "2"),
            folder,
            new Terminal(
                new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                false,
                false,
                () -> 80));

    assertThat(runs)
        .extracting(run -> run.arguments().stream().filter(word -> !word.contains("out")).toList())
        .containsExactly(
            List.of("--epochs=2", "--exchange=ring"),
            List.of("--epochs=2", "--exchange=ps:consistency=ssp,servers=1"));
  }
}
