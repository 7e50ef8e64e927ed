package dev.braid.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.Main;
import dev.braid.job.cli.JobManagerProgram.NotSubmittedException;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.options.Validation;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class JobManagerProgramTest {

  @Test
  void aMistakeIsThrownWithItsWords() {
    assertThatThrownBy(() -> run("train", "--workers", "0"))
        .isInstanceOf(NotSubmittedException.class)
        .hasMessage("braid: --workers 0: must be 1 to " + Validation.MAX_RANKS)
        .hasCauseInstanceOf(UsageException.class);
    assertThatThrownBy(() -> run("train", "--worker", "4"))
        .isInstanceOf(NotSubmittedException.class)
        .hasMessageStartingWith("braid: Unknown option: '--worker'")
        .hasCauseInstanceOf(ParameterException.class);
  }

  @Test
  void whatEndsWithoutAFailureReturns() {
    assertThatCode(() -> run("help")).doesNotThrowAnyException();
  }

  @Test
  void aTestIsNoJobManager() {
    assertThat(JobManagerProgram.isHere()).isFalse();
  }

  private static void run(String... arguments) {
    CommandLine commandLine = Main.commandLine(Terminal.ofProcess(System.out, Map.of()));
    JobManagerProgram.run(commandLine, arguments);
  }
}
