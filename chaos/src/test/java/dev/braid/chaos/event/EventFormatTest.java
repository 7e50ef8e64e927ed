package dev.braid.chaos.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventFormatTest {

  private static final int RANKS = 9;

  @Property(tries = 2000)
  void whatIsWrittenIsRead(@ForAll("events") ChaosEvent event) throws Exception {
    String text = EventWriter.write(event);
    ChaosEvent read = EventReader.read(text.getBytes(UTF_8));
    assertThat(read).as(text).isEqualTo(event);
    assertThat(EventWriter.write(read)).isEqualTo(text);
    read.checkFor(RANKS);
  }

  @Provide
  Arbitrary<ChaosEvent> events() {
    return Events.among(RANKS);
  }

  @Property(tries = 100)
  void whatIsMalformedIsRefusedInALine(@ForAll long seed) {
    for (byte[] malformed : Events.malformed(seed, 20, RANKS)) {
      assertThatThrownBy(() -> EventReader.read(malformed).checkFor(RANKS))
          .isInstanceOf(InvalidEventException.class)
          .message()
          .hasLineCount(1)
          .doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
    }
  }

  @Test
  void keysMayHaveAnyOrder_andBlanksAnyNumber() throws Exception {
    assertThat(
            EventReader.read("  reorder\t3 1 one-way  id a for 2min within 5ms probability 1e-2 "))
        .isEqualTo(
            new ChaosEvent(
                Optional.of("a"),
                Optional.empty(),
                new Action.Reorder(0.01, 5),
                new Target.OfLink(new Link(3, 1), true),
                new Start.Now(),
                java.util.OptionalLong.of(120_000)));
  }

  @Test
  void placesInAMeshAreRanks() throws Exception {
    assertThat(EventReader.read("heal places 0,3-0,0 of torus:2x4").target())
        .isEqualTo(new Target.OfLink(new Link(3, 0), false));
    Target block = EventReader.read("isolate block 0,2+2x2 of 2x4").target();
    assertThat(block.ranks(8)).containsExactly(2, 3, 6, 7);
    assertThat(block.links(8)).hasSize(2 * (4 * 4 + 6)).contains(new Link(2, 3), new Link(0, 7));
    assertThatThrownBy(() -> block.ranks(7)).hasMessage("of 2x4: the training has 7 ranks");
    ChaosEvent large = EventReader.read("cut block 0,0+30x30 of 30x30");
    large.checkFor(Limits.RANKS);
    assertThatThrownBy(() -> large.checkFor(900)).isInstanceOf(InvalidEventException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sever 1 | action \"sever\": must be one of cut, heal",
        "{} | action \"{}\"",
        "cut | cut: must be a rank, two ranks, places R,C-R,C of RxC, level N",
        "isolate | isolate: must be a rank, level N",
        "cut link 3 1 | cut link: must be a rank",
        "cut 1 1 | rank 1 has no link to itself",
        "cut 1 2 3 | 3: must be at most two ranks",
        "cut 1 9 | rank 9: the training has 9 ranks, 0 to 8",
        "cut -1 | rank -1: must be a number from 0",
        "cut 1.5 | cut 1.5: must be a rank",
        "cut 99999999999999999999 | a rank",
        "cut level 4 | level 4: the tree of 9 ranks has no",
        "cut level | \"level\": needs a value",
        "cut level x | level x: must be a whole number",
        "cut 1 one-way | one-way: only after",
        "cut 1 p 0.1 | \"p\": no key of cut; keys: id, at-round, after, for",
        "cut random 3 seed 1 among some | among some: must be tree or all",
        "isolate random 3 seed 1 among all | \"among\": no key of isolate",
        "cut random 99 seed 1 | random 99: there are only 8 links",
        "cut random 3 | \"seed\" is missing",
        "drop 1 | \"probability\" is missing",
        "drop 1 probability 1.5 | probability 1.5: must be a number of more than 0 and at most 1",
        "drop 1 probability NaN | probability NaN",
        "drop 1 probability 1e999 | probability 1e999",
        "drop 1 probability 0 | probability 0",
        "delay 1 by 5 | by 5: needs a unit",
        "delay 1 by 8d | by 8d: must be 0ms to 7d",
        "delay 1 jitter 5ms | \"by\" is missing",
        "throttle 1 bytes-per-second 0 | bytes-per-second 0",
        "heal 1 for 5s | \"for\": no key of heal; keys: id, at-round, after",
        "cut 1 for 1us | for 1us: must be 1ms to 7d",
        "isolate 1 2 | isolate 1 2: must be one rank",
        "straggle 1 factor 0.5 | factor 0.5: must be a number of more than 1 and at most 1000",
        "cut 1 at-round 1 after 1s | at-round and after: ",
        "cut 1 at-round -1 | at-round -1",
        "cut 1 for 5s for 6s | \"for\" is given twice",
        "cut 1 id a! | id a!: must be 1 to 100 letters",
        "isolate block 2,4+2x2 | \"of\" is missing",
        "isolate block 2,4+2x2 of 4 | of 4: ",
        "isolate block 2,4+2x2 of 2x4 | block 2,4+2x2: not in a mesh of 2x4",
        "isolate block 2 of 2x4 | block 2: ",
        "isolate block 0,0+1x1 of 33x33 | of 33x33: must have at most 1024 ranks",
        "cut places 0,0-1,1 of 2x4 | places 0,0-1,1: not a link of a mesh of 2x4",
        "cut places 0,0 of 2x4 | places 0,0: must be row and column of two ranks",
        "isolate places 0,0-0,1 of 2x4 | places: isolate applies to ranks",
      })
  void namesTheMistake(String event, String reason) {
    assertThatThrownBy(() -> EventReader.read(event.getBytes(UTF_8)).checkFor(RANKS))
        .isInstanceOf(InvalidEventException.class)
        .hasMessageContaining(reason)
        .message()
        .hasLineCount(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ufeffcut 1", "a\u200bb", "\u001b[2J\u202e", "cut 1 \udb40\udc01 1"})
  void whatNobodyCanSeeIsEscapedInMessages(String event) {
    assertThatThrownBy(() -> EventReader.read(event.getBytes(UTF_8)))
        .isInstanceOf(InvalidEventException.class)
        .message()
        .contains("\\u")
        .doesNotContainPattern("[\\p{C}\\p{Zl}\\p{Zp}]");
  }

  @Test
  void refusesWhatIsTooLargeOrNoText() {
    assertThatThrownBy(() -> EventReader.read(new byte[Limits.EVENT_BYTES + 1]))
        .hasMessage("event of 4097 bytes: must be at most 4096");
    assertThatThrownBy(() -> EventReader.read(new byte[] {(byte) 0xFF}))
        .hasMessageContaining("not UTF-8");
    for (String nothing : List.of("", " \t ")) {
      assertThatThrownBy(() -> EventReader.read(nothing)).hasMessageContaining("empty event");
    }
  }

  @Test
  void theExamplesOfTheDocumentationAreValid() throws Exception {
    String page = Files.readString(Path.of("..", "docs", "reference", "chaos-events.md"));
    List<String> examples =
        Pattern.compile("(?m)^ {4}([a-z]+ [0-9a-z].*)$")
            .matcher(page)
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(examples).hasSizeGreaterThan(10);
    for (String example : examples) {
      EventReader.read(example).checkFor(7);
    }
  }
}
