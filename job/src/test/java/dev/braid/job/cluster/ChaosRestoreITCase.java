package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run that resumes without the chaos events of its checkpoint, or with events that it did not
 * have. {@code SavedChaosTest} tests the rules and the messages without processes.
 */
@Tag("long")
class ChaosRestoreITCase {

  @TempDir private Path folder;
  private Path data;
  private Path events;

  @BeforeEach
  void write() throws IOException {
    StringBuilder rows = new StringBuilder();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 2000; i++) {
      double x = random.nextDouble(-1, 1);
      rows.append(x).append(',').append(x > 0 ? 0 : 1).append('\n');
    }
    data = Files.writeString(folder.resolve("points.csv"), rows);
    events =
        Files.writeString(
            folder.resolve("events.txt"),
            """
            delay 1 0 by 1ms
            no event
            """);
  }

  @Test
  void eventsAreDropped_orBegin_withAWord() throws Exception {
    BraidProcess disturbed = train("1", "--chaos-file=" + events);
    disturbed.await("link 1–0 delayed by 1 ms");
    String first = interrupted(disturbed, "1");
    assertThat(disturbed.output())
        .contains("1 of the records in --chaos-file is not a chaos event, written to ");

    BraidProcess calm = train("2", "--restore=" + first);
    String second = interrupted(calm, "2");
    assertThat(calm.output())
        .contains("checkpoint made with chaos events of a file of checksum ")
        .contains("dropped, as this run has none");

    BraidProcess again = train("3", "--restore=" + second, "--chaos-file=" + events);
    again.await("link 1–0 delayed by 1 ms");
    interrupted(again, "3");
    assertThat(again.output()).contains("checkpoint made without chaos events: they start now");
  }

  /** Waits for a checkpoint and stops the run; returns the checkpoint from which it can resume. */
  private String interrupted(BraidProcess run, String name) throws Exception {
    run.await(() -> BraidProcess.hasCheckpoint(folder.resolve("out" + name)));
    run.interrupt();
    assertThat(run.awaitEnd()).as(run::output).isEqualTo(130);
    List<String> places =
        Pattern.compile("\\S+/chk-\\d+")
            .matcher(run.output())
            .results()
            .map(MatchResult::group)
            .toList();
    assertThat(places).as(run::output).isNotEmpty();
    return places.get(places.size() - 1);
  }

  private BraidProcess train(String name, String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("train", "--workers=2", "--exchange=tree"));
    arguments.addAll(List.of("--model=logistic", "--data=" + data, "--batch=20", "--web-port=0"));
    arguments.addAll(List.of("--epochs=100000", "--checkpoint-interval=100ms"));
    arguments.add("--out=" + folder.resolve("out" + name));
    arguments.addAll(List.of(options));
    return BraidProcess.start(folder.resolve(name + ".log"), arguments.toArray(String[]::new));
  }
}
