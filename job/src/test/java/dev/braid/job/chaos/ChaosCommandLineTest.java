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

/** What the commands below {@code braid chaos} make of what was typed. */
class ChaosCommandLineTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '' | cut heal delay
          cut | --level --random --mesh-link --block
          isolate, isolate --mesh 2x2 --block=0,0+1x1 1 | --level --random --block
          isolate --block 0,0+1x1, cut --mesh-link 0,1-0,2 | --mesh 4x8
          isolate 1 --mesh 2x2 | --block
          cut 1 2 --mesh 2x2 | --block --mesh-link
          isolate --mesh 4x4 --block 3,0+2x2, isolate --mesh 4x4 --block 0,0+0x2 | 4x4
          isolate --mesh 2x2x2 --block 0,0+1x1 | 2x2x2
          isolate --mesh 4x4 --block 2,2 |
          isolate --block 0,0+1x1 --mesh 0x4 | 1
          isolate --block 0,0+1x1 --mesh 4 | 4x8
          isolate --block 0,0+1x1 --mesh 40000x40000 | 65536
          isolate --mesh 2x2 --mesh-link=0,0-0,1 |
          cut --mesh 2x4 --mesh-link 0,1-0,3, cut --mesh 2x4 --mesh-link 0,3-0,4, cut --mesh 2x4 --mesh-link 0,3-0,0 | 2x4
          cut --mesh 2x4 --mesh-link 0,1 | 0,1-0,2
          cut 1 1, cut -- -1 2 | link
          cut 1 --one-way, cut --level 1 --one-way |
          cut 1 2 3 |
          cut 1 2 --count 3 | --random
          cut 1 2 --for 5, isolate 1 --for 5, delay 1 2 --by 5, delay 1 2 --by 5ms --jitter 5, reorder 1 2 --within 5, cut 1 2 --after 5 | 5ms 5s 5min
          generate --workers 4 --duration 60, generate --workers 4 --cut-for 60 | 60s
          cut 1 2 --for soon | 500ms
          cut 1 2 --for 169h, delay 1 2 --by 8d, reorder 1 2 --probability 1 --within 8d, reorder 1 2 --probability 1 --within 500us | 1ms 7d
          cut 1 2 --for=0s, delay 1 2 --by=0s | 0ms 1ms 7d
          cut 1 2 --after 8d, delay 1 2 --jitter 1s --by 8d, delay 1 2 --by 1s --jitter 8d | 0ms 7d
          generate --workers 4 --rate 1/min --duration 8d | 7d
          generate --workers 4 --cut-for 97h | 4d
          cut --level=1 1 2 | --level
          cut 1 2 --at-round=1 --after=1s | --at-round
          isolate 1 2 | isolate
          drop 1 2 --probability 2 | 1
          throttle 1 2 --bytes-per-second 0 | 1
          straggle 1 --factor 1 |
          delay 1 2 | --by=TIME
          generate | --workers=N
          replay /dev/null | replay /dev/null
          replay . | replay
          replay nowhere | replay nowhere
          status --log=x --topic=t | --log
          status --log nowhere |
          isolate 1 --one-way |
          isolat 1, help isolat | isolat cut heal delay isolate?
          cut a b | a
          generate --workers 1 | 1024
          generate --workers 7 --rate 0/s | 1/s 30/min
          generate --workers 7 --faults all | cuts one-cut path-left any
          generate --workers 7 --live --to=x | --live
          cut 1 2 --to=x --topic=t, generate --workers 7 --kafka-brokers=a:1 --to=x, generate --workers 7 --to=x --kafka-brokers=a:1 | --to
          """)
  void namesTheMistakeInOneLine(String mistakes, String words) {
    CommandRun.assertMistakes("chaos", mistakes, words);
  }

  @ParameterizedTest
  @CsvSource({
    "chaos cut 1 2 AWAY, 127.0.0.1:1 chaos kafka",
    "chaos status AWAY, 127.0.0.1:1 chaos.applied",
    "train --chaos-topic events AWAY, 127.0.0.1:1 events kafka",
    "train --chaos-topic a/b, a/b 200",
    "chaos straggle 1 2 --factor 2, straggle",
    "chaos cut 1 2 --kafka-brokers away.invalid:1, away.invalid:1 chaos"
  })
  void namesAMistakeOfNoOption(String line, String words) {
    CommandRun.ofLine(line).assertMistake(words);
  }

  @Test
  void aFileOfEventsIsNeitherWrittenOverNorTakenForAMissingOne() throws Exception {
    Path file = folder.resolve("events.jsonl");
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
