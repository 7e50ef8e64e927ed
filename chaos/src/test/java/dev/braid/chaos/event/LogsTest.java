package dev.braid.chaos.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.chaos.event.Happening.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LogsTest {

  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");

  @Property(tries = 200)
  void aLineIsReadAsItWasWritten(@ForAll long seed) throws Exception {
    ChaosEvent event = Events.draw(new SplittableRandom(seed), 7);
    Happening happening = new Happening(Outcome.APPLIED, event, 3, 17_000_000, 12, "why");
    HappeningLog.Entry entry = new HappeningLog.Entry("run", happening, AT);
    assertThat(HappeningLog.read(HappeningLog.write(entry))).isEqualTo(entry);
    assertThat(entry.replay().start()).isEqualTo(new Start.AtRound(12));
  }

  @Test
  void aLineSaysWhatMessageWasTouched_andOneThatDoesNotIsReadAsWell() throws Exception {
    ChaosEvent event = ChaosEvent.of(new Action.Cut(), new Target.OfRank(3));
    Happening happening = new Happening(Outcome.TOUCHED, event, 0, 17_000_000, 12, "");
    String line =
        HappeningLog.write(new HappeningLog.Entry("run", happening.on(new Link(3, 1)), AT));
    assertThat(line).contains(",\"touched\":[3,1],");
    assertThat(HappeningLog.read(line).happening().touched()).hasValue(new Link(3, 1));
    assertThat(HappeningLog.read(line.replace(",\"touched\":[3,1],", ",")).happening())
        .isEqualTo(happening);
    assertThatThrownBy(() -> HappeningLog.read(line.replace("[3,1]", "[3,3]")))
        .isInstanceOf(InvalidEventException.class);
  }

  @Test
  void aLineHasThePlaceOfItsEvent_whichIsNoPartOfWhatIsSentAgain() throws Exception {
    ChaosEvent event =
        ChaosEvent.of(new Action.Cut(), new Target.OfRank(3)).withId("x").from("chaos/0/17");
    Happening happening = new Happening(Outcome.APPLIED, event, 0, 17_000_000, 12, "");
    HappeningLog.Entry entry = new HappeningLog.Entry("run", happening, AT);
    String line = HappeningLog.write(entry);
    assertThat(line).contains(",\"origin\":\"chaos/0/17\",\"event\":\"cut 3 id x\"}");
    assertThat(HappeningLog.read(line)).isEqualTo(entry);
    assertThat(EventWriter.write(entry.replay())).doesNotContain("origin");
    String older = line.replace(",\"origin\":\"chaos/0/17\"", "");
    assertThat(HappeningLog.read(older).happening().event().key()).isEqualTo("x");
  }

  /** Checkpoints keep the place; the sender of an event does not specify it. */
  @Test
  void anEventThatWasTakenHasItsPlace() throws Exception {
    ChaosEvent event =
        ChaosEvent.of(new Action.Cut(), new Target.OfRank(3)).withId("x").from("line/2");
    for (ChaosEvent sent : List.of(event, event.withoutId(), EventReader.read("cut 3"))) {
      ByteArrayOutputStream taken = new ByteArrayOutputStream();
      EventWriter.writeTaken(sent, new DataOutputStream(taken));
      ByteArrayInputStream in = new ByteArrayInputStream(taken.toByteArray());
      assertThat(EventReader.readTaken(new DataInputStream(in))).isEqualTo(sent);
      assertThat(in.available()).isZero();
    }
  }

  @Test
  void aLineThatIsNoneIsRefused() {
    assertThatThrownBy(
            () -> HappeningLog.read("{\"version\":1,\"run\":\"r\",\"outcome\":\"lost\"}"))
        .hasMessageContaining("outcome \"lost\" is unknown");
  }

  @Test
  void aDeadLetterKeepsTheRecordAndTheReason() {
    assertThat(new DeadLetter("t/0/5", "not JSON", "{\"x".getBytes(UTF_8)).toJson())
        .isEqualTo(
            "{\"version\":1,\"origin\":\"t/0/5\",\"reason\":\"not JSON\",\"bytes\":3,"
                + "\"text\":\"{\\\"x\"}");
    assertThat(new DeadLetter("t/0/5", "not UTF-8", new byte[] {(byte) 0xFF}).toJson())
        .contains("\"base64\":\"/w==\"");
    assertThat(new DeadLetter("t/0/5", "too large", new byte[100_000]).toJson())
        .hasSizeLessThan(40_000);
  }
}
