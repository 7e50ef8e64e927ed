package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.Happening;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.stream.EventSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosSummaryTest {

  @TempDir private Path folder;

  private ChaosConfig config;

  @BeforeEach
  void setUp() {
    config = new ChaosConfig(new EventSource.Lines(List.of()), folder.toString(), 1);
  }

  @Test
  void countsTheEventsOfThisRun_eachOnce() throws Exception {
    write(
        config.appliedFile(),
        line("earlier", "a", Outcome.APPLIED),
        line("this", "b", Outcome.APPLIED),
        line("this", "c", Outcome.APPLIED),
        line("this", "b", Outcome.TOUCHED),
        line("this", "b", Outcome.TOUCHED),
        line("this", "b", Outcome.ENDED),
        line("this", "c", Outcome.APPLIED),
        line("this", "d", Outcome.IGNORED),
        line("this", "g", Outcome.IGNORED),
        line("this", "f", Outcome.IGNORED, Happening.NEVER_DUE),
        line("this", "e", Outcome.APPLIED).substring(0, 40));
    write(config.deadLetterFile());

    assertThat(ChaosSummary.of(config, "this"))
        .isEqualTo(
            "1 event took effect, 1 affected no message, 2 changed nothing, 1 did not start before"
                + " the end; log in "
                + config.appliedFile());
  }

  @Test
  void eventsOfTheSameIdAreEachCounted() throws Exception {
    write(
        config.appliedFile(),
        line("line/1", Outcome.APPLIED, ""),
        line("line/1", Outcome.TOUCHED, ""),
        line("line/2", Outcome.IGNORED, "an event with this id is pending or in force"),
        line("line/1", Outcome.ENDED, Happening.TIME_IS_OVER),
        line("line/3", Outcome.APPLIED, ""),
        line("line/3", Outcome.TOUCHED, ""));
    write(config.deadLetterFile());

    assertThat(ChaosSummary.of(config, "this"))
        .startsWith("2 events took effect, 1 changed nothing;");
  }

  private static String line(String origin, Outcome outcome, String reason) throws Exception {
    return lineOf("this", cut().withId("x").from(origin), outcome, reason);
  }

  @Test
  void saysWhatWasRefused() throws Exception {
    write(config.appliedFile());
    write(config.deadLetterFile(), "one", "two");

    assertThat(ChaosSummary.of(config, "this"))
        .startsWith("0 events took effect, 0 changed nothing;")
        .endsWith("; refused: 2, in " + config.deadLetterFile());
  }

  @Test
  void withoutALog_saysSo() {
    assertThat(ChaosSummary.of(config, "this"))
        .isEqualTo("the log cannot be read: " + config.appliedFile());
  }

  private static void write(String file, String... lines) throws Exception {
    Files.write(Path.of(file), List.of(lines));
  }

  private static String line(String run, String id, Outcome outcome) throws Exception {
    return line(run, id, outcome, "");
  }

  private static String line(String run, String id, Outcome outcome, String reason)
      throws Exception {
    return lineOf(run, cut().withId(id), outcome, reason);
  }

  private static ChaosEvent cut() throws Exception {
    String cut = "cut 3 1";
    return EventReader.read(cut.getBytes(StandardCharsets.UTF_8));
  }

  private static String lineOf(String run, ChaosEvent event, Outcome outcome, String reason) {
    Happening happening = new Happening(outcome, event, 3, 0, 7, reason);
    return HappeningLog.write(new HappeningLog.Entry(run, happening, Instant.EPOCH));
  }
}
