package dev.braid.job.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.HappeningLog;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosStatusTest {

  @Test
  void statusSaysHowMuchTimeIsLeft() throws Exception {
    String line =
        "{\"version\":1,\"run\":\"r\",\"outcome\":\"applied\",\"round\":668,\"trainingMillis\":9,"
            + "\"rank\":1,\"at\":\"2026-01-01T00:00:00Z\",\"event\":\"cut 3 1 for 20s\"}";
    HappeningLog.Entry entry = HappeningLog.read(line);
    assertThat(ChaosStatus.describe(entry, Instant.parse("2026-01-01T00:00:08.5Z")))
        .isEqualTo("link 3–1: cut since round 668, 12 s left");
    Instant justOver = Instant.parse("2026-01-01T00:00:49Z");
    assertThat(ChaosStatus.inForce(List.of(entry), justOver)).containsExactly(entry);
    assertThat(ChaosStatus.describe(entry, justOver))
        .isEqualTo(
            "link 3–1: cut since round 668, and its time is over; the run has not logged the end"
                + " yet");
    Instant longOver = Instant.parse("2026-01-01T00:00:51Z");
    assertThat(ChaosStatus.inForce(List.of(entry), longOver)).isEmpty();
  }
}
