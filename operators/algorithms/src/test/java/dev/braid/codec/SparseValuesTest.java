package dev.braid.codec;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SparseValuesTest {

  @Test
  void indicesMustIncrease() {
    SparseValues values = new SparseValues(1);
    values.append(4, 1);
    assertThatThrownBy(() -> values.append(4, 1)).hasMessageContaining("element 4 after element 4");
    assertThatThrownBy(() -> new SparseValues(0).append(-1, 1)).hasMessageContaining("element -1");
  }
}
