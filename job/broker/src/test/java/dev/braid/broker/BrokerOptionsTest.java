package dev.braid.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerOptionsTest {

  private static final Optional<Path> FOLDER = Optional.of(Path.of("data").toAbsolutePath());

  @Test
  void aValueIsTheNextWordOrBehindAnEqualsSign() {
    assertThat(BrokerOptions.of()).isEqualTo(new BrokerOptions(9092, Optional.empty(), false));
    BrokerOptions all = new BrokerOptions(9093, FOLDER, true);
    assertThat(BrokerOptions.of("--port", "9093", "--dir", "data", "--secure")).isEqualTo(all);
    assertThat(BrokerOptions.of("--secure", "--dir=data", "--port=9093")).isEqualTo(all);
    assertThat(BrokerOptions.of("--dir", "a=b").folder()).contains(Path.of("a=b").toAbsolutePath());
  }

  @ParameterizedTest
  @CsvSource({
    "--port,                --port: must be a number from 0 (any free port) to 65535",
    "--port=,               --port: must be a number from 0 (any free port) to 65535",
    "--port x,              --port x: must be a number from 0 (any free port) to 65535",
    "--port=65536,          --port 65536: must be a number from 0 (any free port) to 65535",
    "--port -1,             --port -1: must be a number from 0 (any free port) to 65535",
    "--port 1 --port=2,     --port is given more than once",
    "--dir,                 --dir: must be a folder",
    "--dir --secure,        --dir --secure: must be a folder",
    "--secure=no,           '--secure=no: --secure alone is needed, with no value'",
    "--folder=x,            '--folder: not known; --port PORT, --dir FOLDER or --secure'",
    "data,                  'data: not known; --port PORT, --dir FOLDER or --secure'"
  })
  void whatIsNoOptionIsRefusedWithWhatWouldBe(String typed, String said) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BrokerOptions.of(typed.split(" ")))
        .withMessage(said);
  }
}
