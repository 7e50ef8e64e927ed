package dev.braid.job.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.CommandRun;
import dev.braid.job.console.ExitCodes;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands below {@code braid chaos} make of what was typed. */
class ChaosCommandLineTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "chaos                        | a command is needed: cut, heal, delay",
        "chaos cut                    | cut: two ranks, a rank, --level, --random, --mesh-link or --block is needed",
        "chaos isolate                | isolate: a rank, --level, --random or --block is needed, and only one",
        "chaos isolate 1 --mesh 2x2 --block 0,0+1x1 | only one of them",
        "chaos isolate --block 0,0+1x1 | --block 0,0+1x1: the training's --mesh is needed, too, such as --mesh 4x8",
        "chaos isolate 1 --mesh 2x2   | --mesh 2x2: only with --block",
        "chaos cut 1 2 --mesh 2x2     | --mesh 2x2: only with --block or --mesh-link",
        "chaos isolate --mesh 4x4 --block 3,0+2x2 | --block 3,0+2x2: not in a mesh of 4x4, whose rows and columns count from 0",
        "chaos isolate --mesh 4x4 --block 0,0+0x2 | --block 0,0+0x2: not in a mesh of 4x4",
        "chaos isolate --mesh 2x2x2 --block 0,0+1x1 | --block 0,0+1x1: not in a mesh of 2x2x2",
        "chaos isolate --mesh 4x4 --block 2,2 | --block 2,2: its first row and column, and how many rows x columns",
        "chaos isolate --mesh 0x4 --block 0,0+1x1 | --mesh 0x4: at least 1 in each dimension is needed",
        "chaos isolate --mesh 4 --block 0,0+1x1 | --mesh 4: rows x columns are needed, such as 4x8",
        "chaos isolate --mesh 40000x40000 --block 0,0+1x1 | --mesh 40000x40000: 65536 ranks at most are possible",
        "chaos isolate --mesh 2x2 --mesh-link=0,0-0,1 | Unknown option",
        "chaos cut --mesh 2x4 --mesh-link 0,1-0,3 | --mesh-link 0,1-0,3: no link of a mesh of 2x4: two ranks beside each other",
        "chaos cut --mesh 2x4 --mesh-link 0,3-0,4 | --mesh-link 0,3-0,4: no link of a mesh of 2x4",
        "chaos cut --mesh 2x4 --mesh-link 0,3-0,0 | --mesh-link 0,3-0,0: no link of a mesh of 2x4",
        "chaos cut --mesh 2x4 --mesh-link 0,1 | --mesh-link 0,1: row and column of two ranks are needed, such as 0,1-0,2",
        "chaos cut --mesh-link 0,1-0,2 | --mesh-link 0,1-0,2: the training's --mesh is needed, too",
        "chaos cut 1 1                | link 1 → 1: two different ranks",
        "chaos cut 1 --one-way        | --one-way: two ranks are needed",
        "chaos cut 1 2 3              | cut 1 2 3: two ranks at most are possible",
        "chaos cut 1 2 --count 3      | --count 3: only with --random",
        "chaos cut --level 1 --one-way | --one-way: two ranks are needed",
        "chaos cut 1 2 --for 5        | --for 5: a unit is needed: 5ms, 5s or 5min",
        "chaos isolate 1 --for 5      | --for 5: a unit is needed",
        "chaos delay 1 2 --by 5       | --by 5: a unit is needed",
        "chaos delay 1 2 --by 5ms --jitter 5 | --jitter 5: a unit is needed",
        "chaos reorder 1 2 --within 5 | --within 5: a unit is needed",
        "chaos cut 1 2 --after 5      | --after 5: a unit is needed",
        "chaos generate --workers 4 --duration 60 | --duration 60: a unit is needed",
        "chaos generate --workers 4 --cut-for 60 | --cut-for 60: a unit is needed",
        "chaos cut 1 2 --for soon     | --for soon: a time such as 500ms",
        "chaos cut 1 2 --for 0s       | --for 0ms: 1ms to 7d is possible",
        "chaos cut 1 2 --for 169h     | --for 169h: 1ms to 7d is possible",
        "chaos cut 1 2 --after 8d     | --after 8d: 0ms to 7d is possible",
        "chaos delay 1 2 --by 0s      | --by 0ms: 1ms to 7d is possible",
        "chaos delay 1 2 --by 8d      | --by 8d: 1ms to 7d is possible",
        "chaos delay 1 2 --by 8d --jitter 1s | --by 8d: 0ms to 7d is possible",
        "chaos delay 1 2 --by 1s --jitter 8d | --jitter 8d: 0ms to 7d is possible",
        "chaos reorder 1 2 --probability 1 --within 8d | --within 8d: 1ms to 7d is possible",
        "chaos reorder 1 2 --probability 1 --within 500us | --within 500us: 1ms to 7d is possible",
        "chaos generate --workers 4 --rate 1/min --duration 8d | --duration 8d: at most 7d is possible",
        "chaos generate --workers 4 --cut-for 97h | --cut-for 97h: at most 4d is possible",
        "chaos cut 1 2 --level 1      | only one of them",
        "chaos cut 1 2 --at-round 1 --after 1s | --at-round and --after: only one",
        "chaos cut -- -1 2            | link -1 → 2",
        "chaos isolate 1 2            | isolate: one rank is needed",
        "chaos drop 1 2 --probability 2 | --probability 2: more than 0 and at most 1 ",
        "chaos throttle 1 2 --bytes-per-second 0 | --bytes-per-second 0: a number from 1 to ",
        "chaos straggle 1 --factor 1  | --factor 1: more than 1 ",
        "chaos delay 1 2              | Missing required option: '--by=TIME'",
        "chaos cut 1 2 AWAY | Kafka at 127.0.0.1:1, topic chaos: no broker answers; './braid kafka' starts one",
        "chaos cut 1 2 --kafka-brokers away.invalid:1 | Kafka at away.invalid:1, topic chaos: no such host is known here",
        "chaos status AWAY | Kafka at 127.0.0.1:1, topic chaos.applied",
        "chaos replay /dev/null       | replay /dev/null: there is no event in it",
        "chaos replay .               | replay .: a folder; a file is needed",
        "chaos replay nowhere         | replay nowhere: no such file",
        "chaos status --log x --topic t | --log and --topic: only one of them",
        "chaos status --log nowhere   | --log nowhere: no such file",
        "chaos straggle 1 2 --factor 2 | straggle: one rank is needed",
        "chaos isolate 1 --one-way    | Unknown option: '--one-way'",
        "chaos isolat 1               | no command 'isolat'; commands: cut, heal, delay",
        "chaos isolat 1               | did you mean isolate?",
        "chaos cut a b                | RANK a: a whole number is needed",
        "chaos help isolat            | no command 'isolat'; commands: cut, heal, delay",
        "chaos help isolat            | did you mean isolate?",
        "chaos generate               | Missing required option: '--workers=N'",
        "chaos generate --workers 1   | --workers 1: 2 to 1024 is needed",
        "chaos generate --workers 7 --rate 0/s | --rate 0/s: a rate such as 1/s or 30/min",
        "chaos generate --workers 7 --faults all | --faults all: cuts, one-cut, path-left or any",
        "chaos generate --workers 7 --live --to x | --live and --to: only one of them",
        "chaos cut 1 2 --to x --topic t | --to and --topic: only one of them",
        "chaos generate --workers 7 --to x --kafka-brokers a:1 | --to and --kafka-brokers: only",
      })
  void namesTheMistakeInOneLine(String line, String message) {
    CommandRun.ofLine(line).assertMistake(message);
  }

  @Test
  void aFileOfEventsIsNeitherWrittenOverNorTakenForAMissingOne() throws Exception {
    Path file = folder.resolve("events.jsonl");
    Files.write(file, new byte[] {(byte) 0xff, (byte) 0xfe});
    CommandRun replayed = CommandRun.of("chaos", "replay", file.toString());
    assertThat(replayed.err()).contains("replay " + file + ": not UTF-8").hasLineCount(1);
    CommandRun written = CommandRun.ofLine("chaos generate --workers 3 --to " + file);
    assertThat(written.err()).contains("--to " + file + ": is there already").hasLineCount(1);
    assertThat(written.exitCode()).isEqualTo(ExitCodes.USAGE);
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
    CommandRun result = CommandRun.ofLine(command + " " + file);
    assertThat(result.err())
        .contains("%s %s: %d bytes; at most %d".formatted(named, file, most + 1, most))
        .hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void placesInAMesh_areRanksOfEvents() throws Exception {
    Path block = folder.resolve("block.jsonl");
    CommandRun result =
        CommandRun.of(
            "chaos",
            "isolate",
            "--mesh",
            "4x4",
            "--block",
            "0,2+2x2",
            "--for",
            "5s",
            "--to",
            block.toString());
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("4 events written to " + block);
    assertThat(Files.readAllLines(block))
        .containsExactly(
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":2},\"forMillis\":5000}",
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":3},\"forMillis\":5000}",
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":6},\"forMillis\":5000}",
            "{\"version\":1,\"action\":\"isolate\",\"target\":{\"rank\":7},\"forMillis\":5000}");
    Path parted = folder.resolve("parted.jsonl");
    assertThat(
            CommandRun.of(
                    "chaos", "isolate", "--mesh", "1x8", "--block", "0,3+1x2", "--to", parted + "")
                .out())
        .contains(
            "2 events written to " + parted,
            "without this block a mesh of 1x8 falls into 2 parts, of 3, 3 workers: the largest goes"
                + " on alone");
    Path all = folder.resolve("all.jsonl");
    assertThat(
            CommandRun.of(
                    "chaos", "isolate", "--mesh", "2x2", "--block", "0,0+2x2", "--to", all + "")
                .out())
        .contains("that is the whole mesh of 2x2: no worker is left to go on");
    Path link = folder.resolve("link.jsonl");
    CommandRun.of(
        "chaos",
        "cut",
        "--mesh",
        "2x2x2",
        "--mesh-link",
        "1,0,1-0,0,1",
        "--one-way",
        "--to",
        link.toString());
    assertThat(Files.readString(link)).contains("{\"link\":[5,1],\"oneWay\":true}");
    Path wrap = folder.resolve("wrap.jsonl");
    CommandRun.of(
        "chaos", "heal", "--mesh", "torus:2x4", "--mesh-link", "0,3-0,0", "--to", wrap.toString());
    assertThat(Files.readString(wrap)).contains("{\"link\":[3,0]}");
  }

  @Test
  void aScheduleIsTheSameForTheSameSeedAndCanBeReplayed() throws Exception {
    Path first = folder.resolve("first.jsonl");
    Path second = folder.resolve("second.jsonl");
    String generate = "chaos generate --workers 7 --seed 5 --rate 2/s --duration 30s --to ";
    assertThat(CommandRun.ofLine(generate + first).out()).contains("events written to " + first);
    assertThat(CommandRun.ofLine("chaos replay " + first + " --to " + second).exitCode()).isZero();
    assertThat(Files.readAllLines(first))
        .hasSizeBetween(30, 90)
        .allMatch(event -> event.contains("\"action\":\"cut\""));
    assertThat(second).hasSameTextualContentAs(first);
  }

  /** One after the other, with the same id; at one time, an id is that of one. */
  @Test
  void eventsOfTheSameIdAreReplayedEach_andWhatALogHasAgainOnce() throws Exception {
    String line =
        "{\"version\":1,\"run\":\"r\",\"outcome\":\"applied\",\"round\":7,\"trainingMillis\":9,"
            + "\"rank\":1,\"at\":\"2026-01-01T00:00:00Z\",\"origin\":\"line/1\",\"event\":{\"version\":1,"
            + "\"id\":\"x\",\"action\":\"cut\",\"target\":{\"link\":[3,1]},\"forMillis\":20}}";
    String later = line.replace("line/1", "line/2").replace("\"round\":7", "\"round\":9");
    Path log = Files.write(folder.resolve("applied.jsonl"), List.of(line, later, line));
    Path again = folder.resolve("again.jsonl");
    assertThat(CommandRun.of("chaos", "replay", log.toString(), "--to", again.toString()).out())
        .contains("2 events written");
    String event =
        "\"action\":\"cut\",\"target\":{\"link\":[3,1]},\"start\":{\"round\":7},\"forMillis\":20}";
    assertThat(again)
        .content()
        .isEqualTo(
            "{\"version\":1,\"id\":\"x\","
                + event
                + "\n{\"version\":1,"
                + event.replace("7}", "9}")
                + "\n");
  }

  @Test
  void anEventCanBeWrittenToAFile() throws Exception {
    Path file = folder.resolve("event.jsonl");
    CommandRun.ofLine("chaos cut 3 1 --for 5s --at-round 7 --to " + file);
    assertThat(file)
        .hasContent(
            "{\"version\":1,\"action\":\"cut\",\"target\":{\"link\":[3,1]},"
                + "\"start\":{\"round\":7},\"forMillis\":5000}");
  }

  @Test
  void aDelayMayBeAllJitter() throws Exception {
    Path file = folder.resolve("event.jsonl");
    CommandRun.ofLine("chaos delay 3 1 --by 0ms --jitter 9ms --to " + file);
    assertThat(file).content().contains("\"delayMillis\":0,\"jitterMillis\":9");
  }

  @Test
  void statusKnowsWhatIsInForce() throws Exception {
    String event = "{\"version\":1,\"id\":\"%s\",\"action\":\"cut\",\"target\":{\"link\":[3,1]}}";
    String line =
        "{\"version\":1,\"run\":\"%s\",\"outcome\":\"%s\",\"round\":5,\"trainingMillis\":9,\"rank\":1,"
            + "\"at\":\"2026-01-01T00:00:00Z\",\"event\":%s}%n";
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
        .startsWith("link 3–1: cut since round 5, until it is mended")
        .anyMatch(words -> words.matches("the log's last line is of job now, \\d+ h .* ago"))
        .endsWith("if that job was stopped or has failed, nothing is in force any more");
    assertThat(CommandRun.of("chaos", "status", "--json", "--log", log.toString()).out())
        .isEqualTo(line.formatted("now", "applied", event.formatted("b")));
    Files.writeString(log, "");
    assertThat(CommandRun.of("chaos", "status", "--log", log.toString()).out())
        .startsWith("nothing is in force; no training has said anything here yet");
  }

  @Test
  void helpOfARankOffersNothingOfLinks() {
    for (String command : new String[] {"straggle", "isolate", "rejoin"}) {
      assertThat(CommandRun.of("chaos", command, "--help").out())
          .contains("[RANK]")
          .doesNotContain("--one-way", "two ranks");
    }
    assertThat(CommandRun.of("chaos", "cut", "--help").out()).contains("--one-way", "--for");
  }
}
