package dev.braid.job.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.EventReader;
import dev.braid.chaos.event.EventWriter;
import dev.braid.chaos.event.Schedule;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosGenerateTest {

  @Test
  void eventsThatAreSentTwice_areOthersTheSecondTime() throws Exception {
    List<ChaosEvent> drawn = new Schedule(1, 4, 1, 10_000, 500, Schedule.Faults.CUTS).events();
    List<ChaosEvent> first = ChaosGenerate.named(drawn, Instant.parse("2026-01-01T00:00:00Z"));
    List<ChaosEvent> second =
        ChaosGenerate.named(drawn, Instant.parse("2026-01-01T00:00:07.123456Z"));
    assertThat(first).hasSameSizeAs(drawn).doesNotContainAnyElementsOf(second);
    assertThat(first.get(0).id()).hasValue("generated-1/0/2026-01-01T00:00:00Z");
    for (ChaosEvent event : second) {
      byte[] sent = EventWriter.write(event).getBytes(StandardCharsets.UTF_8);
      assertThat(EventReader.read(sent)).isEqualTo(event);
    }
  }
}
