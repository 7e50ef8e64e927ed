package dev.braid.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldEventsTest {

  private final HeldEvents events = new HeldEvents();
  private final List<String> sent = new ArrayList<>();

  private void send(int reader, String name) {
    events.send(reader, () -> sent.add(name + reader));
  }

  @Test
  void waitForEachReaderUntilItHasResumed() {
    send(0, "a");
    events.hold(7, List.of(0, 1));
    send(0, "b");
    send(1, "b");
    send(0, "c");
    assertThat(sent).containsExactly("a0");
    events.resumed(0, 7);
    assertThat(sent).containsExactly("a0", "b0", "c0");
    send(0, "d");
    assertThat(sent).containsExactly("a0", "b0", "c0", "d0");
    events.resumed(1, 7);
    assertThat(sent).endsWith("b1");
  }

  @Test
  void areSentWhenTheCheckpointIsAborted() {
    events.hold(7, List.of(0));
    send(0, "a");
    events.aborted(6);
    assertThat(sent).isEmpty();
    events.aborted(7);
    assertThat(sent).containsExactly("a0");
  }

  @Test
  void waitForTheLastOfSeveralCheckpoints() {
    events.hold(7, List.of(0));
    send(0, "a");
    events.hold(8, List.of(0));
    events.resumed(0, 7);
    assertThat(sent).isEmpty();
    events.resumed(0, 8);
    assertThat(sent).containsExactly("a0");
  }

  @Test
  void areForgottenWithTheirReader() {
    events.hold(7, List.of(0));
    send(0, "a");
    events.forget(0);
    send(0, "b");
    events.resumed(0, 7);
    assertThat(sent).containsExactly("b0");
  }
}
