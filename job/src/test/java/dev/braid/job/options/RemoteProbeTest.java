package dev.braid.job.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.chaos.stream.RemoteDisk;
import dev.braid.job.console.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteProbeTest {

  @TempDir private Path folder;

  @Test
  void nothingIsLeftOfWhatWasTried() {
    Path out = folder.resolve("out");
    RemoteProbe probe = RemoteProbe.of("--out", RemoteDisk.uri(out));
    probe.reach();
    assertThat(out).doesNotExist();
    probe.write();
    assertThat(out).isEmptyDirectory();
  }

  @Test
  void whereNothingCanBeWritten_aLineSaysSo() throws Exception {
    String place = RemoteDisk.uri(Files.writeString(folder.resolve("file"), "x"));
    assertThatThrownBy(RemoteProbe.of("--out", place)::write)
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--out " + place + ": cannot be written to: ")
        .hasMessageNotContaining("\n");
  }

  @Test
  void oneThatDoesNotAnswerIsNotWaitedForForEver() {
    String place = RemoteDisk.silent(folder);
    assertThatThrownBy(RemoteProbe.of("--restore", place).within(Duration.ZERO)::reach)
        .isInstanceOf(UsageException.class)
        .hasMessage("--restore " + place + ": has not answered in 0 s");
  }
}
