package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The launcher {@code ./braid}, as a user runs it.
 *
 * @param folder for its output
 * @param environment variables in addition to those of this process
 */
record Launcher(Path folder, Map<String, String> environment) {

  private static final int TIMEOUT_SECONDS = 300;
  private static final String LAUNCHER = Path.of("..", "braid").toAbsolutePath().toString();

  /** Result of a command. */
  record Said(int exitCode, String output) {}

  Launcher(Path folder) {
    this(folder, Map.of());
  }

  /** Runs a command to its end. */
  Said run(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(LAUNCHER));
    command.addAll(List.of(words));
    Path said = folder.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
    // As in ProcessCluster.QUICK_START; the launcher itself chooses a garbage collector.
    builder
        .environment()
        .put(
            "JAVA_OPTS",
            "-XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote");
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as(() -> command + " did not end").isTrue();
    return new Said(process.exitValue(), Files.readString(said));
  }
}
