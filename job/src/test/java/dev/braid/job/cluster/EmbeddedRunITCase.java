package dev.braid.job.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.braid.job.CommandRun;
import dev.braid.job.SmallMnist;
import dev.braid.job.restore.WrittenState;
import dev.braid.wire.StateChecksum;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code braid train} as a user runs it, with an embedded Flink, on a part of MNIST. It runs in a
 * separate process if a test sends signals or disturbs it, else in this JVM.
 */
class EmbeddedRunITCase {

  private static final Pattern OF_A_PART =
      Pattern.compile("epoch +\\d+/400 .* test accuracy [\\d.]+ % of 1[12] samples");

  @TempDir private Path folder;

  @Test
  void targetAccuracy_endsTheRunAfterTheEpochThatReachesIt() throws Exception {
    CommandRun run =
        trainHere("--model=logistic", "--workers=2", "--epochs=9", "--target-accuracy=0.85");

    assertThat(run.exitCode()).as(run::err).isZero();
    assertThat(run.out())
        .contains("epoch 1/9")
        .doesNotContain("epoch 2/9")
        .contains("used exactly once in the epoch")
        .contains("momentum 0.9, learning rate 0.1", "target         85.00 % reached in epoch 1")
        .contains("after epoch 1: " + folder.resolve("out/best.zip"));
    assertThat(folder.resolve("out/model.zip")).isNotEmptyFile();
    assertThat(folder.resolve("out/best.zip")).isNotEmptyFile();
    assertThat(folder.resolve("out/history.jsonl"))
        .content()
        .contains("\"updater\":\"momentum\",\"learning-rate\":0.1");
  }

  @Test
  void interrupt_takesACheckpoint_andSaysHowToResume() throws Exception {
    int metricsPort = ProcessCluster.freePort();
    BraidProcess run =
        train(
            "--model=logistic",
            "--workers=2",
            "--epochs=100000",
            "--links=2ms",
            "--checkpoint-interval=1h",
            "--metrics-port=" + metricsPort,
            "--page");
    run.await(" 2/100000 ");
    assertThat(run.output())
        .contains("\nmetrics at http://127.0.0.1:" + metricsPort + "/metrics\n");
    run.await(() -> ofEveryRun(metrics(metricsPort)).isEmpty());
    run.await(() -> page().contains("http-equiv=\"refresh\""));
    assertSecondIsRefused();
    assertThat(ListeningSockets.of(run.pid()))
        .isNotEmpty()
        .allMatch(InetAddress::isLoopbackAddress);
    run.interrupt();

    assertThat(run.awaitEnd()).as(run::output).isEqualTo(130);
    assertThat(run.temporaryFiles()).isEmpty();
    assertThat(folder.resolve("out/.braid.lock")).doesNotExist();
    assertThat(folder.resolve("out/model.zip")).doesNotExist();
    assertThat(folder.resolve("out/earlier")).doesNotExist();
    assertThat(page())
        .contains("stopped: its last checkpoint is ", "<th scope=\"row\">1</th>")
        .doesNotContain("http-equiv=\"refresh\"");
    Matcher restore =
        Pattern.compile(
                "its last checkpoint is (\\S+/chk-1); to resume: braid train .* --restore latest")
            .matcher(run.output());
    assertThat(restore.find()).as(run::output).isTrue();

    String checkpoint = restore.group(1);
    assertRefused(checkpoint, "made with --seed 1, and not 2", "--seed=2");
    String tooFew = assertRefused(checkpoint, "--epochs is 1", "--epochs=1");
    Matcher epoch = Pattern.compile("is of epoch (\\d+),").matcher(tooFew);
    assertThat(epoch.find()).as(tooFew).isTrue();

    assertRefused(
        withStateOfKryo(checkpoint).toString(),
        "the state of 'report' has a form that Braid does not write",
        "--epochs=" + epoch.group(1));

    CommandRun again =
        trainHere(
            "--model=logistic",
            "--workers=2",
            "--epochs=" + epoch.group(1),
            "--restore=latest",
            "--target-accuracy=1");
    assertThat(again.exitCode()).as(again::err).isEqualTo(3);
    assertThat(again.out())
        .contains("resuming from " + checkpoint, "identical: yes (2 of 2)")
        .contains("results of an earlier run were moved to " + folder.resolve("out/earlier/20"));
    assertThat(again.err()).contains("braid: --target-accuracy 1 was not reached: at best ");
  }

  /** Flink's first temporary file exists long before Flink has started. */
  @Test
  @Tag("long")
  void aRunThatIsStoppedWhileItBegins_leavesNothingBehind() throws Exception {
    BraidProcess run = train("--model=logistic", "--workers=2", "--epochs=100000");
    run.await(() -> !run.temporaryFiles().isEmpty());
    run.interrupt();

    assertThat(run.awaitEnd()).as(run::output).isEqualTo(130);
    assertThat(run.output())
        .isEqualTo("stopping ...\nstopped: there was no checkpoint yet, nothing is kept\n");
    assertThat(run.temporaryFiles()).isEmpty();
    assertThat(folder.resolve("out")).isDirectoryNotContaining("glob:**/{.braid.lock,checkpoints}");
  }

  @Test
  void anIsolationThatIsSurvived_failsTheRunOnlyWhereEverySampleIsRequired() throws Exception {
    List<String> options = withoutRank3("--exchange=ft-tree", "--epochs=10");
    CommandRun survived = trainHere(options.toArray(String[]::new));
    assertThat(survived.exitCode()).as(survived::err).isZero();
    assertThat(survived.out())
        .containsPattern("ledger +[\\d,]+ of 1,350 uses of samples were missed while a worker was")
        .contains("excluded at the end, with an old model: worker 3", "1 event took effect");
    assertThat(survived.err()).doesNotContain("not every sample");

    options.add("--require=every-sample");
    CommandRun required = trainHere(options.toArray(String[]::new));
    assertThat(required.exitCode()).as(required::err).isEqualTo(1);
    assertThat(required.err())
        .contains("braid: not every sample was used exactly once: see the ledger above");
  }

  /** The end of the run waits for the worker. A checkpoint would wait, too, and is declined. */
  @Test
  @Tag("long")
  void anAsynchronousRunIsEvaluatedWithoutAWorkerThatIsCutOff() throws Exception {
    // Flink draws the moment of the first periodic checkpoint, which could precede the isolation.
    List<String> options =
        withoutRank3("--exchange=ako", "--epochs=400", "--checkpoint-interval=1h");
    BraidProcess run = train(options.toArray(String[]::new));
    run.await(() -> OF_A_PART.matcher(run.output()).find());
    run.interrupt();
    assertThat(run.awaitEnd()).as(run::output).isEqualTo(130);
    assertThat(run.output())
        .contains("no checkpoint was taken: rank 3 ", "stopped: there was no checkpoint yet");
  }

  /** The first interrupt waits for the end of a round, which takes a minute from round 20 on. */
  @Test
  @Tag("long")
  void theSecondInterrupt_endsARunThatWaitsForItsCheckpoint() throws Exception {
    List<String> options = onIris("delay 0 1 by 60s at-round 20", "--workers=2", "--epochs=400");
    BraidProcess run = train(options.toArray(String[]::new));
    run.await("round 20: ");
    run.interrupt();
    run.await("taking a checkpoint");
    assertThat(run.interruptUntilItEnds()).as(run::output).isEqualTo(130);
    assertThat(run.output()).doesNotContain("stopped");
  }

  /** Returns options of a run on a small table in which rank 3 is isolated from round 20 on. */
  private List<String> withoutRank3(String... others) throws IOException {
    return onIris("isolate 3 at-round 20", others);
  }

  /** Returns options of a run on a small table, with an event. */
  private List<String> onIris(String event, String... others) throws IOException {
    Path events = Files.writeString(folder.resolve("events.txt"), event);
    List<String> options = new ArrayList<>(List.of(others));
    options.addAll(List.of("--data=../docs/example/iris.csv", "--model=logistic", "--batch=5"));
    options.add("--chaos-file=" + events);
    return options;
  }

  /** The folder is removed, as when a disk is detached. */
  @Test
  void resultsThatCannotBeWritten_areElsewhere_andTheUserIsTold() throws Exception {
    Path out = folder.resolve("out");
    CompletableFuture<CommandRun> training =
        CompletableFuture.supplyAsync(
            () ->
                trainHere(
                    "--model=logistic",
                    "--workers=2",
                    "--epochs=100",
                    "--checkpoint-dir=" + folder.resolve("checkpoints"),
                    "--checkpoint-interval=200ms"));
    awaitEpoch(out.resolve("history.jsonl"), training);
    InTheWay.put(out, folder.resolve("taken away"));

    CommandRun run = training.get();
    assertThat(run.exitCode()).as(run::err).isEqualTo(1);
    assertThat(run.out())
        .contains("epoch 100/100", "identical: yes (2 of 2)")
        .contains("used exactly once in each of 100 epochs")
        .containsPattern("to resume: braid train .* --restore " + folder);
    assertThat(run.err())
        .contains("braid: " + out + "/model.zip cannot be written: " + out + " is not a folder; ");
    Matcher elsewhere = Pattern.compile("; the results are in (\\S+) instead").matcher(run.err());
    assertThat(elsewhere.find()).as(run::err).isTrue();
    Path kept = Path.of(elsewhere.group(1));
    assertThat(kept.resolve("model.zip")).isNotEmptyFile();
    assertThat(kept.resolve("history.jsonl")).content().contains("\"digest\"");
    Files.delete(kept.resolve("model.zip"));
    Files.delete(kept.resolve("history.jsonl"));
    Files.delete(kept.resolve("best.zip"));
    Files.delete(kept.resolve("model.json"));
    assertThat(kept.resolve("summary.json")).content().contains("\"digest\"");
    Files.delete(kept.resolve("summary.json"));
    assertThat(kept.resolve("run.yaml")).content().contains("model: logistic");
    Files.delete(kept.resolve("run.yaml"));
    Files.delete(kept);
  }

  private static void awaitEpoch(Path history, CompletableFuture<?> training) {
    await("an epoch in " + history)
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(5))
        .failFast(() -> assertThat(training).isNotDone())
        .until(() -> Files.exists(history) && Files.readString(history).contains("\"epoch\":1,"));
  }

  /** Otherwise each run would take the other's results for those of an earlier run. */
  private void assertSecondIsRefused() {
    trainHere("--model=logistic", "--workers=2").assertMistake(": another run is writing");
  }

  /** Asserts that a run that cannot resume from a checkpoint prints one line with the reason. */
  private String assertRefused(String checkpoint, String words, String option) {
    CommandRun run =
        trainHere("--model=logistic", "--workers=2", "--restore=" + checkpoint, option);
    run.assertMistake("--restore " + checkpoint + ": ");
    assertThat(run.err()).contains(words);
    return run.err();
  }

  /**
   * Returns a copy with a state for which Flink would create objects of classes that the state
   * names.
   */
  private Path withStateOfKryo(String checkpoint) throws IOException {
    Path copy = Files.createDirectories(folder.resolve("of somebody else"));
    CheckpointMetadata metadata;
    try (DataInputStream in =
        new DataInputStream(Files.newInputStream(Path.of(checkpoint, "_metadata")))) {
      metadata = Checkpoints.loadCheckpointMetadata(in, getClass().getClassLoader(), checkpoint);
    }
    byte[] state =
        WrittenState.list(
            "clock", new KryoSerializer<>(Object.class, new SerializerConfigImpl()), "12:00");
    OperatorState report =
        metadata.getOperatorStates().stream()
            .filter(operator -> operator.getOperatorUid().orElse("").equals("report"))
            .findFirst()
            .orElseThrow();
    report.putState(
        0,
        OperatorSubtaskState.builder()
            .setManagedOperatorState(
                StateObjectCollection.singleton(
                    WrittenState.at("clock", 0, WrittenState.beside(copy, state))))
            .build());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Checkpoints.storeCheckpointMetadata(metadata, out);
    Files.write(copy.resolve("_metadata"), StateChecksum.sealed(out.toByteArray()));
    return copy;
  }

  /** Returns which metrics are missing, apart from those of chaos events and shaped links. */
  private static Set<String> ofEveryRun(String metrics) {
    Set<String> names = NamedMetrics.ofDataSets();
    names.removeIf(
        name -> name.matches(".*_(chaos_.*|damaged_messages_total|.*backlog_bytes|link_lost_.*)"));
    names.addAll(NamedMetrics.ofAlertsOfEveryRun());
    return NamedMetrics.missing(names, metrics);
  }

  /** Returns the metrics for Prometheus; empty if no server answers. */
  private static String metrics(int port) {
    try (InputStream in =
        URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  private String page() {
    try {
      return Files.readString(folder.resolve("out/run.html"));
    } catch (IOException e) {
      return "";
    }
  }

  private BraidProcess train(String... options) throws IOException {
    return BraidProcess.start(folder.resolve("run.log"), command(options));
  }

  /** Trains in this JVM, whose classes are already loaded. */
  private CommandRun trainHere(String... options) {
    return CommandRun.withErrorOutput(command(options));
  }

  private String[] command(String... options) {
    List<String> command = new ArrayList<>(List.of("train"));
    command.addAll(List.of("--out", folder.resolve("out").toString()));
    if (Stream.of(options).noneMatch(option -> option.startsWith("--data="))) {
      command.add(SmallMnist.option());
    }
    command.addAll(List.of(options));
    return command.toArray(String[]::new);
  }
}
