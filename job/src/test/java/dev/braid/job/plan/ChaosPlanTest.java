package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.stream.EventSource;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosPlanTest {

  private static final String CUT =
      "{\"version\":1,\"action\":\"cut\",\"target\":{\"link\":[3,1]}}";

  @Test
  void warnsOfWhatIsNoEvent_andSaysWhereItIs_asTheUserMayTypeIt() {
    assertThat(ChaosPlan.warning(config(CUT, "{}", "junk"), 4))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .startsWith(
                        "2 of the records in --chaos-file are no chaos events, written to"
                            + " target/out/chaos-dead-letters.jsonl; the first: "));
  }

  @Test
  void hasNothingToSayOfEvents() {
    assertThat(ChaosPlan.warning(config(CUT), 4)).isEmpty();
  }

  private static ChaosConfig config(String... lines) {
    String out = Path.of("target/out").toAbsolutePath().toString();
    return new ChaosConfig(new EventSource.Lines(List.of(lines)), out, 1);
  }
}
