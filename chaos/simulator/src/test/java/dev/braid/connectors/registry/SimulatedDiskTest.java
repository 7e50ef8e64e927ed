package dev.braid.connectors.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests registries in a folder while another program acts between two steps of a request. */
class SimulatedDiskTest {

  private static final Map<String, byte[]> CONTENTS = Map.of(ModelVersion.MODEL, new byte[] {1, 2});

  /** Number of steps before the one at which the other job publishes; negative afterwards. */
  private int left;

  private boolean isNested;

  private static void publish(long millis) throws IOException {
    try (ModelRegistry registry = RegistryPlace.folder(SimulatedDisk.PLACE).open()) {
      registry.publish(
          new ModelVersion(
                  ModelVersion.FORMAT,
                  1,
                  "test",
                  millis,
                  "run",
                  1,
                  "digest",
                  "data",
                  "",
                  0,
                  List.of(),
                  new TreeMap<>(),
                  new TreeMap<>())
              .with(1, CONTENTS),
          CONTENTS);
    }
  }

  private void betweenSteps() throws IOException {
    if (isNested) {
      return;
    }
    isNested = true;
    if (left-- == 0) {
      publish(2);
    }
    if (left < 0) {
      try (ModelRegistry registry = RegistryPlace.folder(SimulatedDisk.PLACE).open()) {
        assertThat(registry.numbers()).containsExactly(1);
        assertThat(registry.file(registry.version(1).orElseThrow(), ModelVersion.MODEL))
            .isEqualTo(CONTENTS.get(ModelVersion.MODEL));
      }
    }
    isNested = false;
  }

  @Test
  void aVersionCanBeReadAtAnyStepOfAnotherPublicationOfIt() throws IOException {
    int steps = -1;
    do {
      steps++;
      left = steps;
      SimulatedDisk disk = new SimulatedDisk(this::betweenSteps, () -> 0, false);
      publish(1);
      disk.close();
    } while (left < 0);
    assertThat(steps).isGreaterThan(5);
  }
}
