package dev.braid.job.restore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SavedChaosTest {

  private static final SavedChaos CALM = new SavedChaos(List.of("samples", "workers", "report"));
  private static final SavedChaos DISTURBED =
      new SavedChaos(List.of("samples", "chaos-events/topic a", "chaos-links/topic a"));

  @Test
  void aRunWithoutEventsDropsThem() {
    assertThat(DISTURBED.isDroppedBy(Optional.empty())).isTrue();
    assertThat(DISTURBED.change(Optional.empty()))
        .hasValue(
            "checkpoint made with chaos events of a topic a: events that were pending or in force"
                + " are dropped, as this run has none");
  }

  @Test
  void aRunWithOtherEventsDropsThem() {
    assertThat(DISTURBED.isDroppedBy(topic("b"))).isTrue();
    assertThat(DISTURBED.change(topic("b")).orElseThrow())
        .endsWith("as this run has those of a topic b");
  }

  @Test
  void theSameEventsGoOn() {
    assertThat(DISTURBED.isDroppedBy(topic("a"))).isFalse();
    assertThat(DISTURBED.change(topic("a"))).isEmpty();
    assertThat(CALM.isDroppedBy(Optional.empty())).isFalse();
    assertThat(CALM.change(Optional.empty())).isEmpty();
  }

  @Test
  void eventsMayBeginWithACheckpoint() {
    assertThat(CALM.isDroppedBy(topic("a"))).isFalse();
    assertThat(CALM.change(topic("a")))
        .hasValue("checkpoint made without chaos events: they start now");
  }

  /** Flink would drop it together with the state of events, silently. */
  @Test
  void noOtherStateIsDropped() {
    SavedChaos foreign = new SavedChaos(List.of("samples", "another", "chaos-links/topic a"));
    assertThat(foreign.isDroppedBy(Optional.empty())).isFalse();
  }

  private static Optional<ChaosConfig> topic(String name) {
    KafkaTopic topic = new KafkaTopic("127.0.0.1:9092", name, Map.of());
    return Optional.of(new ChaosConfig(new EventSource.Topic(topic, Map.of(0, 0L)), "out", 1));
  }
}
