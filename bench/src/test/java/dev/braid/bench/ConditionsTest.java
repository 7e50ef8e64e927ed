package dev.braid.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConditionsTest {

  private static final String LIBRARIES =
      "/repo/org/apache/flink/flink-runtime/2.2.1/flink-runtime-2.2.1.jar:/repo/braid/classes"
          + ":/repo/nd4j-native/1.0.0-M2.1/nd4j-native-1.0.0-M2.1.jar"
          + ":/repo/nd4j-native/1.0.0-M2.1/nd4j-native-1.0.0-M2.1-linux-x86_64-avx2.jar";

  @Test
  void versionsAreThoseOfTheJarsOnTheClassPath() {
    assertThat(Conditions.version("flink-runtime", LIBRARIES)).contains("2.2.1");
    assertThat(Conditions.version("nd4j-native", LIBRARIES)).contains("1.0.0-M2.1");
  }

  @Test
  void whatIsNotOnTheClassPathHasNoVersion() {
    assertThat(Conditions.version("flink", LIBRARIES)).isEmpty();
  }

  @Test
  void namesMachineAndJvm() {
    assertThat(Conditions.here()).contains("# machine", "# jvm", "# environment");
  }
}
