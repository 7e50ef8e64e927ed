package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultCommandTest {

  @Test
  void whatIsToBeTypedHasTheConfigurationWhereTheClusterHasTls() {
    assertThat(ResultCommand.typed("http://127.0.0.1:8081", Optional.of("conf")))
        .isEqualTo("braid result --flink http://127.0.0.1:8081");
    assertThat(ResultCommand.typed("https://127.0.0.1:8081", Optional.of("a b/conf")))
        .isEqualTo("braid result --flink https://127.0.0.1:8081 --flink-conf 'a b/conf'");
    assertThat(ResultCommand.typed("https://127.0.0.1:8081", Optional.empty()))
        .isEqualTo("braid result --flink https://127.0.0.1:8081 --flink-conf FOLDER");
  }
}
