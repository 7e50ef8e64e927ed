package dev.braid.job.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing and files of the commands of {@code braid chaos}. */
class ChaosCommandLineTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '' | send status generate replay
          send | EVENT
          send cut | level random block places
          send isolat 1 | isolat cut heal delay
          send cut 1 1 | 1
          send cut a b | a
          send cut 1 2 for 5 | for 5ms 5s 5min
          send cut 1 2 for soon | for 500ms
          send cut 1 2 at-round 1 after 1s | at-round after
          send drop 1 2 probability 2 | probability 1
          send isolate block 3,0+2x2 of 4x4 | block 4x4
          send cut places 0,1-0,3 of 2x4 | places 2x4
          generate --workers 4 --duration 60, generate --workers 4 --cut-for 60 | 60s
          generate --workers 4 --rate 1/min --duration 8d | 7d
          generate --workers 4 --cut-for 97h | 4d
          generate | --workers=N
          replay /dev/null | replay /dev/null
          replay . | replay
          replay nowhere | replay nowhere
          status --log=x --topic=t | --log
          status --log nowhere |
          cut 1 | cut send status
          stats | status?
          generate --workers 1 | 1024
          generate --workers 7 --rate 0/s | 1/s 30/min
          generate --workers 7 --faults all | cuts one-cut path-left any
          generate --workers 7 --live --to=x | --live
          send cut 1 2 --to=x --topic=t, generate --workers 7 --kafka-brokers=a:1 --to=x, generate --workers 7 --to=x --kafka-brokers=a:1 | --to
          """)
  void namesTheMistakeInOneLine(String mistakes, String words) {
    CommandRun.assertMistakes("chaos", mistakes, words);
  }

  @ParameterizedTest
  @CsvSource({
    "chaos send cut 1 2 AWAY, 127.0.0.1:1 chaos kafka",
    "chaos status AWAY, 127.0.0.1:1 chaos.applied",
    "train --chaos-topic events AWAY, 127.0.0.1:1 events kafka",
    "train --chaos-topic a/b, a/b 200",
    "chaos send cut 1 2 --kafka-brokers away.invalid:1, away.invalid:1 chaos"
  })
  void namesAMistakeOfNoOption(String line, String words) {
    CommandRun.ofLine(line).assertMistake(words);
  }

  @Test
  void aFileOfEventsIsNeitherWrittenOverNorTakenForAMissingOne() throws Exception {
    Path file = folder.resolve("events.txt");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
    CommandRun.ofLine("chaos replay " + file).assertMistake("replay " + file + " UTF-8");
    CommandRun.ofLine("chaos generate --workers 3 --to " + file).assertMistake("--to " + file);
    assertThat(file).binaryContent().hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "chaos status --log, --log, 268435456",
    "chaos replay, replay, 268435456",
    "train --chaos-file, --chaos-file, 4194304"
  })
  void aFileLargerThanAnyIsNotRead(String command, String named, long most) throws Exception {
    Path file = folder.resolve("file.jsonl");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(most + 1);
    }
    CommandRun.ofLine(command + " " + file)
        .assertMistake("%s %s %d %d".formatted(named, file, most + 1, most));
  }

  @Test
  void placesInAMesh_areRanksOfEvents() throws Exception {
    Path block = folder.resolve("block.txt");
    CommandRun result = send("isolate block 0,2+2x2 of 4x4 for 5s", block);
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).isEqualTo("1 event written to " + block + "\n");
    assertThat(block).hasContent("isolate block 0,2+2x2 of 4x4 for 5s");
    Path parted = folder.resolve("parted.txt");
    assertThat(send("isolate block 0,3+1x2 of 1x8", parted).out())
        .contains("a mesh of 1x8 falls into 2 parts of 3, 3 workers");
    assertThat(send("isolate block 0,0+2x2 of 2x2", folder.resolve("all.txt")).out())
        .contains("the whole mesh of 2x2");
    Path link = folder.resolve("link.txt");
    send("cut places 1,0,1-0,0,1 of 2x2x2 one-way", link);
    assertThat(link).hasContent("cut 5 1 one-way");
  }

  private static CommandRun send(String event, Path to) {
    return CommandRun.of("chaos", "send", event, "--to", to.toString());
  }

  @Test
  void aScheduleIsTheSameForTheSameSeedAndCanBeReplayed() throws Exception {
    Path first = folder.resolve("first.txt");
    Path second = folder.resolve("second.txt");
    String generate = "chaos generate --workers 7 --seed 5 --rate 2/s --duration 30s --to ";
    assertThat(CommandRun.ofLine(generate + first).out()).contains("events written to " + first);
    assertThat(CommandRun.ofLine("chaos replay " + first + " --to " + second).exitCode()).isZero();
    assertThat(Files.readAllLines(first))
        .hasSizeBetween(30, 90)
        .allMatch(event -> event.startsWith("cut "));
    assertThat(second).hasSameTextualContentAs(first);
  }

  /**
   * Events used the same id one after the other; in a replay they wait together, so only one keeps
   * it.
   */
  @Test
  void eventsOfTheSameIdAreReplayedEach_andWhatALogHasAgainOnce() throws Exception {
    String line =
        "{\"version\":1,\"run\":\"r\",\"outcome\":\"applied\",\"round\":7,\"trainingMillis\":9,"
            + "\"rank\":1,\"at\":\"2026-01-01T00:00:00Z\",\"origin\":\"line/1\","
            + "\"event\":\"cut 3 1 for 20ms id x\"}";
    String later = line.replace("line/1", "line/2").replace("\"round\":7", "\"round\":9");
    Path log = Files.write(folder.resolve("applied.jsonl"), List.of(line, later, line));
    Path again = folder.resolve("again.jsonl");
    assertThat(CommandRun.of("chaos", "replay", log.toString(), "--to", again.toString()).out())
        .contains("2 events written");
    assertThat(again).hasContent("cut 3 1 at-round 7 for 20ms id x\ncut 3 1 at-round 9 for 20ms\n");
  }

  /** Words without quotes are a single event; each quoted argument is an event. */
  @Test
  void eventsCanBeWrittenToAFile() throws Exception {
    Path one = folder.resolve("one.txt");
    CommandRun.ofLine("chaos send cut 3 1 for 5s at-round 7 --to " + one);
    assertThat(one).hasContent("cut 3 1 at-round 7 for 5s");
    Path two = folder.resolve("two.txt");
    CommandRun.of("chaos", "send", "isolate 2 at-round 5", "rejoin 2", "--to", two.toString());
    assertThat(two).hasContent("isolate 2 at-round 5\nrejoin 2");
  }

  @Test
  void statusKnowsWhatIsInForce() throws Exception {
    String event = "cut 3 1 id %s";
    String line =
        "{\"version\":1,\"run\":\"%s\",\"outcome\":\"%s\",\"round\":5,\"trainingMillis\":9,\"rank\":1,"
            + "\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"%s\"}%n";
    Path log = folder.resolve("log.jsonl");
    Files.writeString(
        log,
        line.formatted("before", "applied", event.formatted("z"))
            + line.formatted("now", "applied", event.formatted("a"))
            + line.formatted("now", "applied", event.formatted("b"))
            + line.formatted("now", "ended", event.formatted("a"))
            + line.formatted("now", "ignored", event.formatted("c")));
    assertThat(CommandRun.of("chaos", "status", "--log", log.toString()).out().lines())
        .hasSize(3)
        .startsWith("link 3–1: cut since round 5, until it is healed")
        .anyMatch(words -> words.matches("the last line of the log is of job now, \\d+ h .* ago"))
        .endsWith("if that job was stopped or has failed, nothing is in force");
    assertThat(CommandRun.of("chaos", "status", "--json", "--log", log.toString()).out())
        .isEqualTo(line.formatted("now", "applied", event.formatted("b")));
    Files.writeString(log, "");
    assertThat(CommandRun.of("chaos", "status", "--log", log.toString()).out())
        .startsWith("nothing is in force; ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut", "heal", "delay", "drop", "throttle", "straggle", "isolate"})
  void helpOfSendHasActions(String action) {
    assertThat(CommandRun.of("chaos", "send", "--help").out()).contains(action);
  }
}
