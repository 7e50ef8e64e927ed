package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.braid.job.CommandRun;
import dev.braid.job.SmallMnist;
import dev.braid.learner.math.NativeMath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * {@code braid train} on {@link SmallMnist} with a small network, on a cluster of processes,
 * through Flink's own client.
 *
 * @param out the run's results; its client's output is next to it
 * @param before ids of the jobs that existed before
 */
record ClusterRun(
    ProcessCluster cluster, Path out, int epochs, Process client, List<String> before) {

  /** Enough epochs to learn. */
  static final int EPOCHS = 10;

  /**
   * Options for a run that takes long but computes little, so that an action of a test some
   * checkpoints after the start still finds it training.
   */
  static final List<String> SLOW_LINKS = List.of("--links", "5ms");

  /** Part of the output of a run of four workers with the same weights. */
  static final String IDENTICAL = "identical: yes (4 of 4)";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TIMEOUT_SECONDS = 300;

  /**
   * Size of the hidden layer. A gradient takes several messages; that of the default model takes
   * eight times as many.
   */
  private static final int HIDDEN_UNITS = 64;

  static ClusterRun train(ProcessCluster cluster, Path out, int epochs, String... options)
      throws IOException {
    return start(cluster, out, epochs, command(out, epochs, options));
  }

  /** Starts a run with these arguments. */
  static ClusterRun start(ProcessCluster cluster, Path out, int epochs, List<String> words)
      throws IOException {
    List<String> before = jobs(cluster);
    List<String> command = new ArrayList<>();
    command.addAll(List.of("run", Path.of("target", "braid.jar").toAbsolutePath().toString()));
    command.addAll(words);
    Process client = cluster.flink(log(out), command.toArray(String[]::new));
    return new ClusterRun(cluster, out, epochs, client, before);
  }

  /** Trains with the same command in this JVM; returns the output. */
  static String trainHere(Path out, int epochs, String... options) throws IOException {
    CommandRun run =
        CommandRun.withErrorOutput(command(out, epochs, options).toArray(String[]::new));
    assertThat(run.exitCode()).as(run::err).isZero();
    return run.out();
  }

  private static List<String> command(Path out, int epochs, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("train", "--epochs", "" + epochs, "--out", out.toString()));
    command.add(SmallMnist.option());
    if (!List.of(options).contains("--model")) {
      command.addAll(List.of("--model", model(out).toString()));
    }
    Collections.addAll(command, options);
    return command;
  }

  /**
   * Writes a Deeplearning4j configuration next to the results. It has running statistics and random
   * choices, which a recovery must restore as well.
   */
  private static Path model(Path out) throws IOException {
    // Parsing a configuration loads OpenBLAS, which would choose its own kernels for this JVM.
    NativeMath.useOneThread();
    MultiLayerConfiguration network =
        new NeuralNetConfiguration.Builder()
            .seed(1)
            .updater(new Nesterovs(0.1, 0.9))
            .list()
            .layer(
                new DenseLayer.Builder()
                    .nIn(28 * 28)
                    .nOut(HIDDEN_UNITS)
                    .hasBias(false)
                    .activation(Activation.IDENTITY)
                    .weightInit(WeightInit.RELU)
                    .build())
            .layer(new BatchNormalization.Builder().nIn(HIDDEN_UNITS).nOut(HIDDEN_UNITS).build())
            .layer(new ActivationLayer.Builder().activation(Activation.RELU).build())
            .layer(
                new OutputLayer.Builder(LossFunction.NEGATIVELOGLIKELIHOOD)
                    .nIn(HIDDEN_UNITS)
                    .nOut(10)
                    .dropOut(0.9)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build();
    return Files.writeString(out.resolveSibling(out.getFileName() + ".json"), network.toJson());
  }

  /** Returns the options of a run with checkpoints. */
  static List<String> checkpoints(Path folder, int intervalMillis) {
    return List.of(
        "--checkpoint-dir",
        folder.toUri().toString(),
        "--checkpoint-interval",
        intervalMillis + "ms");
  }

  /** Waits for a successful end with an exact ledger; returns the client's output. */
  String finish() throws Exception {
    boolean ended = cluster.awaitEnd(client, TIMEOUT_SECONDS);
    client.destroyForcibly();
    assertThat(ended).as(() -> out + " did not end\n" + output() + cluster.logs()).isTrue();
    assertThat(client.exitValue()).as(() -> output() + cluster.logs()).isZero();
    assertThat(output())
        .contains(
            "every one of 6,000 samples used exactly once in "
                + (epochs == 1 ? "the epoch" : "each of " + epochs + " epochs"));
    return output();
  }

  /** Ends the run at any stage. */
  void abandon() {
    client.destroyForcibly();
    job().ifPresent(cluster::cancel);
  }

  /** Returns the client's output so far. */
  String output() {
    try {
      return Files.readString(log(out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path log(Path out) {
    return out.resolveSibling(out.getFileName() + ".out");
  }

  /** Returns the run's job, as soon as the cluster has it. */
  Optional<String> job() {
    return jobs(cluster).stream().filter(id -> !before.contains(id)).findFirst();
  }

  /** Returns the lines of the history so far: the start, the epochs and the outcome. */
  List<JsonNode> history() {
    Path file = out.resolve("history.jsonl");
    List<JsonNode> lines = new ArrayList<>();
    try {
      for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
        lines.add(JSON.readTree(line));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  /**
   * Waits for the first checkpoint. If the run ends before, fails at once with the client's output.
   */
  void awaitCheckpoint() {
    cluster.await("a checkpoint", () -> completedCheckpoints() >= 1 || hasEnded());
    assertThat(completedCheckpoints()).as(this::output).isPositive();
  }

  /** Waits for an epoch, because the first checkpoint may be complete before any round is. */
  void awaitEpoch() {
    cluster.await(
        "an epoch", () -> history().stream().anyMatch(line -> line.has("epoch")) || hasEnded());
  }

  long completedCheckpoints() {
    return job()
        .map(job -> json("/jobs/" + job + "/checkpoints").path("counts").path("completed").asLong())
        .orElse(-1L);
  }

  /** Returns the time of the last failure, in milliseconds since 1970; 0 if there was none. */
  long lastFailureMillis() {
    String path = "/jobs/" + job().orElseThrow() + "/exceptions";
    return json(path).path("exceptionHistory").path("entries").path(0).path("timestamp").asLong();
  }

  /**
   * Waits until all tasks run and returns their TaskManagers. Tasks that have already finished are
   * ignored, as the reader of a file of events soon does. Returns none if the job has ended.
   * (Occupied slots would prove little, because they may still belong to an earlier job.)
   */
  List<String> awaitThoseThatWork() {
    Set<String> working = new TreeSet<>();
    cluster.await("all tasks of " + out + " to run", () -> allTasksRun(working) || hasEnded());
    return List.copyOf(working);
  }

  /** Returns whether the client has ended. */
  boolean hasEnded() {
    return !client.isAlive();
  }

  private boolean allTasksRun(Set<String> working) {
    working.clear();
    String job = "/jobs/" + job().orElse("none");
    for (JsonNode vertex : json(job).path("vertices")) {
      for (JsonNode task : json(job + "/vertices/" + vertex.path("id").asText()).path("subtasks")) {
        switch (task.path("status").asText()) {
          case "RUNNING" -> working.add(task.path("taskmanager-id").asText());
          case "FINISHED" -> {}
          default -> {
            return false;
          }
        }
      }
    }
    return !working.isEmpty();
  }

  boolean hasFinishedTasks() {
    for (JsonNode vertex : json("/jobs/" + job().orElse("none")).path("vertices")) {
      if (vertex.path("tasks").path("FINISHED").asInt() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns the ids of all jobs that a cluster knows, including those that have ended. */
  static List<String> jobs(ProcessCluster cluster) {
    List<String> ids = new ArrayList<>();
    json(cluster, "/jobs").path("jobs").forEach(job -> ids.add(job.path("id").asText()));
    return ids;
  }

  /** Returns the cluster's answer to a request, or an empty object if there is none. */
  JsonNode json(String path) {
    return json(cluster, path);
  }

  private static JsonNode json(ProcessCluster cluster, String path) {
    try {
      String body = cluster.get(path);
      return body.isEmpty() ? JSON.createObjectNode() : JSON.readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the digest in an output. */
  static String digest(String output) {
    return group(output, "digest +([0-9a-f]{64})");
  }

  /** Returns the final accuracy on the test set, in percent. */
  static double accuracy(String output) {
    return Double.parseDouble(group(output, "(?m)^test accuracy +([0-9.]+) %$"));
  }

  /** Returns the first group of the first match of a pattern. */
  static String group(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as("%s in %s", pattern, text).isTrue();
    return matcher.group(1);
  }
}
