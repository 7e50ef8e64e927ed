package dev.braid.bench.recovery;

import com.fasterxml.jackson.databind.JsonNode;
import dev.braid.job.rest.FlinkRest;
import dev.braid.job.rest.RestException;
import dev.braid.loop.coordinator.Recovery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster of {@code ./braid cluster up} with a job on all slots of two TaskManagers. One of them
 * may be killed if a third TaskManager has as many free slots.
 */
final class SpareCluster {

  private static final int TASK_MANAGERS = 3;
  private static final int SLOTS = 2;
  private static final long POLL_MILLIS = 100;

  /**
   * Time without failures after which Flink's delay before a restart is that of a first failure
   * again.
   */
  private static final long APART_MILLIS = 22_000;

  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

  /** A recovery as the loop's coordinator logs it. */
  private static final Pattern RECOVERY =
      Pattern.compile(
          "Recovery\\[atMillis=(\\d+), detectionMillis=(-?\\d+), restartMillis=(\\d+), restoreMillis=(\\d+), firstRoundMillis=(\\d+), repeatedRounds=(-?\\d+)\\]");

  /** State of the spare TaskManager. */
  enum Spare {
    COLD,
    WARM;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @FunctionalInterface
  private interface Condition {
    boolean holds() throws Exception;
  }

  private final Path folder;
  private final FlinkRest flink;
  private final String job;
  private final Path braid;

  SpareCluster(Path folder, String address, String job, Path braid) {
    this.folder = folder;
    this.flink = FlinkRest.at(address);
    this.job = job;
    this.braid = braid;
  }

  /** Starts the missing TaskManager, and waits until the job has made progress. */
  void provide(Spare spare) throws Exception {
    braid(
        "cluster",
        "up",
        "--folder",
        folder.toString(),
        "--task-managers",
        Integer.toString(TASK_MANAGERS));
    if (spare == Spare.WARM) {
      braid(
          "flink",
          "--folder",
          folder.toString(),
          "run",
          braid.resolveSibling("job/target/braid.jar").toString(),
          "train",
          "--workers",
          Integer.toString(SLOTS),
          "--epochs",
          "1",
          "--out",
          folder.resolve("out-of-the-warm").toString());
    }
    await("free slots of one TaskManager", () -> taskManagersWith(SLOTS).size() == 1);
    long checkpoints = checkpoints();
    await("two checkpoints", () -> checkpoints() >= checkpoints + 2);
    await("the time between two failures", this::isTimeForAnother);
  }

  private boolean isTimeForAnother() throws IOException {
    List<Recovery> all = recoveries();
    return all.isEmpty()
        || System.currentTimeMillis() - all.get(all.size() - 1).atMillis() > APART_MILLIS;
  }

  /**
   * Kills a TaskManager that the job uses, as {@code kill -9} does, and waits until training
   * resumes.
   */
  KilledAt kill() throws Exception {
    int before = recoveries().size();
    String victim = taskManagersWith(0).get(0);
    long pid = Long.parseLong(Files.readString(folder.resolve("pids/" + victim + ".pid")).strip());
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    long killedMillis = System.currentTimeMillis();
    process.destroyForcibly();
    await("a recovery", () -> recoveries().size() > before);
    return new KilledAt(killedMillis, recoveries().get(before));
  }

  /** Returns all recoveries of the job. */
  List<Recovery> recoveries() throws IOException {
    List<Recovery> found = new ArrayList<>();
    Matcher lines = RECOVERY.matcher(Files.readString(folder.resolve("log/jobmanager.log")));
    while (lines.find()) {
      found.add(
          new Recovery(
              Long.parseLong(lines.group(1)),
              Long.parseLong(lines.group(2)),
              Long.parseLong(lines.group(3)),
              Long.parseLong(lines.group(4)),
              Long.parseLong(lines.group(5)),
              Long.parseLong(lines.group(6))));
    }
    return found;
  }

  private List<String> taskManagersWith(int freeSlots) throws RestException, InterruptedException {
    List<String> names = new ArrayList<>();
    for (JsonNode taskManager : flink.get("/taskmanagers").path("taskmanagers")) {
      if (taskManager.path("freeSlots").asInt(-1) == freeSlots) {
        names.add(taskManager.path("id").asText());
      }
    }
    return names;
  }

  private long checkpoints() throws RestException, InterruptedException {
    return flink.get("/jobs/" + job + "/checkpoints").path("counts").path("completed").asLong();
  }

  private void braid(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(braid.toString()));
    command.addAll(List.of(arguments));
    Path log = folder.resolve("braid.log");
    int exitCode =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (exitCode != 0) {
      throw new IllegalStateException(
          "%s: exit code %d%n%s"
              .formatted(String.join(" ", command), exitCode, Files.readString(log)));
    }
  }

  private static void await(String what, Condition condition) throws Exception {
    long beganNanos = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - beganNanos > PATIENCE_NANOS) {
        throw new IllegalStateException("no result within three minutes: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }
}
