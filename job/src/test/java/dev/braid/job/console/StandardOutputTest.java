package dev.braid.job.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandardOutputTest {

  private static final class Failing extends OutputStream {
    private final String reason;

    Failing(String reason) {
      this.reason = reason;
    }

    @Override
    public void write(int b) throws IOException {
      throw new IOException(reason);
    }
  }

  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void aClosedPipeIsNoError_andIsToldOnce() {
    StandardOutput output = new StandardOutput(new Failing("Broken pipe"), closed::incrementAndGet);
    PrintStream out = new PrintStream(output, true, UTF_8);
    out.println("one line");
    out.println("another");
    assertThat(output.isClosed()).isTrue();
    assertThat(closed).hasValue(1);
    assertThat(out.checkError()).isFalse();
  }

  @Test
  void whatIsReadIsWritten() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StandardOutput output = new StandardOutput(bytes, closed::incrementAndGet);
    new PrintStream(output, true, UTF_8).print("ein Satz – und mehr");
    assertThat(bytes.toString(UTF_8)).isEqualTo("ein Satz – und mehr");
    assertThat(output.isClosed()).isFalse();
  }

  /** A whole process whose output has no reader. */
  @ParameterizedTest
  @ValueSource(strings = {"help train", "--help", "chaos help send"})
  void aCommandWhoseOutputIsClosedEndsQuietly(String words) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Dbraid.launcher=true", "-cp", System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.addAll(List.of(words.split(" ")));
    Process process = new ProcessBuilder(command).start();
    process.getInputStream().close();
    String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(errors).isEmpty();
    assertThat(process.exitValue()).isEqualTo(ExitCodes.OUTPUT_CLOSED);
  }
}
