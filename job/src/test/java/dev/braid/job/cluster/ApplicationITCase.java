package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.SmallMnist;
import dev.braid.job.cluster.FlinkJvm.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Braid as an application with its own cluster, as on Kubernetes. Its main method runs in the
 * JobManager, which must outlive the job, whatever its result, because users look for the result
 * there.
 */
@Tag("long")
class ApplicationITCase {

  private static final String JOB = "b7a1d000000000000000000000000001";
  private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(4);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Process> processes = new ArrayList<>();
  private int restPort;

  @BeforeEach
  void configure() throws IOException {
    restPort = ProcessCluster.freePort();
    Map<String, String> settings = new LinkedHashMap<>();
    for (String address :
        List.of(
            "jobmanager.rpc.address",
            "jobmanager.bind-host",
            "rest.address",
            "rest.bind-address",
            "taskmanager.host",
            "taskmanager.bind-host")) {
      settings.put(address, "127.0.0.1");
    }
    settings.put("jobmanager.rpc.port", "" + ProcessCluster.freePort());
    settings.put("rest.port", "" + restPort);
    // The main method then follows the job, and the log shows its progress.
    settings.put("execution.attached", "true");
    settings.put("execution.shutdown-on-application-finish", "false");
    settings.put("execution.submit-failed-job-on-application-error", "true");
    settings.put("execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString());
    settings.put("env.java.opts.taskmanager", String.join(" ", ProcessCluster.QUICK_START));
    settings.put("env.java.opts.jobmanager", String.join(" ", ProcessCluster.QUICK_START));
    settings.put("io.tmp.dirs", Files.createDirectory(folder.resolve("tmp")).toString());
    ProcessCluster.write(folder, settings);
  }

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }

  /**
   * The application's exit code is 3, because the target is not reached; it must not end the
   * JobManager.
   */
  @Test
  void itTrainsAndTheJobManagerOutlivesIt() throws Exception {
    Path out = folder.resolve("out");
    Process jobManager =
        startApplication(
            "train",
            SmallMnist.option(),
            "--model=logistic",
            "--workers=2",
            "--epochs=1",
            "--target-accuracy=0.9999",
            "--out=" + out);
    FlinkMemory memory = FlinkMemory.answer(FlinkMemory.ask(Role.TASK_MANAGER, jvm()));
    start(Role.TASK_MANAGER, "taskmanager", memory.jvm(), memory.arguments());
    await("FINISHED", jobManager);
    awaitLog("Application completed SUCCESSFULLY", jobManager);
    assertThat(out.resolve("summary.json")).exists();
    assertThat(out.resolve("model.zip")).exists();
    assertThat(log())
        .containsPattern("(?m)^digest +[0-9a-f]{64}$")
        .contains("braid: --target-accuracy 0.9999");
    assertThat(jobManager.isAlive()).isTrue();
  }

  @Test
  void aMistakeIsTheJobsFailureAndNotTheJobManagers() throws Exception {
    Process jobManager = startApplication("train", "--workers=0");
    await("FAILED", jobManager);
    assertThat(get("/jobs/" + JOB + "/exceptions")).contains("braid: --workers 0: ");
    assertThat(jobManager.isAlive()).isTrue();
  }

  private Process startApplication(String... arguments) throws IOException {
    List<String> all = new ArrayList<>();
    Collections.addAll(all, "--jars", Path.of("target", "braid.jar").toAbsolutePath().toString());
    Collections.addAll(all, "--job-classname", "dev.braid.job.Main", "--job-id", JOB);
    Collections.addAll(all, arguments);
    return start(Role.JOB_MANAGER, "jobmanager", List.of("-Xmx512m"), all);
  }

  private FlinkJvm jvm() {
    return new FlinkJvm(
        Path.of("target", "lib").toAbsolutePath(),
        folder,
        GlobalConfiguration.loadConfiguration(folder.toString()),
        folder.resolve("log4j2.properties"));
  }

  private Process start(Role role, String name, List<String> heap, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(jvm().command(role, List.of(), heap, arguments));
    if (role == Role.JOB_MANAGER) {
      Class<?> application = StandaloneApplicationClusterEntryPoint.class;
      int classPath = command.indexOf("-cp") + 1;
      String jar = application.getProtectionDomain().getCodeSource().getLocation().getPath();
      command.set(classPath, command.get(classPath) + ":" + jar);
      command.set(classPath + 1, application.getName());
    }
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    builder.environment().putAll(jvm().environment(role));
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private void await(String state, Process jobManager) {
    String job = "{\"id\":\"" + JOB + "\",\"status\":\"" + state + "\"}";
    awaitThat(() -> get("/jobs").contains(job), job, jobManager);
  }

  private void awaitLog(String words, Process jobManager) {
    awaitThat(() -> log().contains(words), words, jobManager);
  }

  private void awaitThat(BooleanSupplier condition, String what, Process jobManager) {
    long deadline = System.nanoTime() + TIMEOUT_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(jobManager.isAlive()).as(() -> "the JobManager ended\n" + log()).isTrue();
      assertThat(System.nanoTime() - deadline).as(() -> what + " in\n" + log()).isNegative();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("jobmanager.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the JobManager's answer; empty if there is none. */
  private String get(String path) {
    URI uri = URI.create("http://127.0.0.1:" + restPort + path);
    try {
      var answer =
          http.send(
              HttpRequest.newBuilder(uri).timeout(REQUEST_TIMEOUT).build(),
              BodyHandlers.ofString());
      return answer.statusCode() == 200 ? answer.body() : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
