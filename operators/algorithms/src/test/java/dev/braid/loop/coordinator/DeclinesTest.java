package dev.braid.loop.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DeclinesTest {

  private final Declines declines = new Declines();

  @Test
  void aRankIsToldOfOnce_untilItIsBack() {
    assertThat(declines.declined(12, List.of(2)))
        .hasValue(
            "checkpoint 12 declined, training continues: rank 2 is unreachable; a checkpoint is"
                + " possible when it has rejoined");
    assertThat(declines.declined(13, List.of(2))).isEmpty();
    assertThat(declines.declined(14, List.of(2))).isEmpty();
    assertThat(declines.held(15))
        .hasValue("checkpoint 15 starts after 3 declined ones: all ranks are reachable again");
    assertThat(declines.held(16)).isEmpty();
    assertThat(declines.declined(17, List.of(2))).isPresent();
  }

  @Test
  void anotherRankIsNews_andOneOfThoseToldOfIsNot() {
    assertThat(declines.declined(1, List.of(2))).isPresent();
    assertThat(declines.declined(2, List.of(3, 2)).orElseThrow())
        .contains("ranks 2, 3 are unreachable");
    assertThat(declines.declined(3, List.of(3))).isEmpty();
  }
}
