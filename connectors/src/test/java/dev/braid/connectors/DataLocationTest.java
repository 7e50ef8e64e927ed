package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import org.junit.jupiter.api.Test;

class DataLocationTest {

  @Test
  void whatIsNoPathIsAnError() {
    assertThatThrownBy(() -> DataLocation.of("a\0b"))
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("is not a path");
  }

  @Test
  void impossibleNumbersAreErrors() {
    DataLocation mnist = DataLocation.of(DataLocation.MNIST);
    assertThatThrownBy(() -> mnist.withClasses(-1))
        .hasMessageContaining("-1 classes: must be 2 to");
    assertThatThrownBy(() -> mnist.withFeatures(-1))
        .hasMessageContaining("-1 features: must be 1 to");
  }
}
