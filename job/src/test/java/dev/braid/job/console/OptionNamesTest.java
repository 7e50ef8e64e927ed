package dev.braid.job.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OptionNamesTest {

  @Test
  void settingsOfTheLibrariesBecomeOptions() {
    assertThat(OptionNames.in("a.csv: `label` c: no such column"))
        .isEqualTo("a.csv: --label c: no such column");
    assertThat(new UsageException("`epochs` 2: 3 or more is needed; use another `other-data`"))
        .hasMessage("--epochs 2: 3 or more is needed; use another --other-data");
    assertThat(OptionNames.in("no such column; there are `price`, `A b`"))
        .isEqualTo("no such column; there are `price`, `A b`");
  }
}
