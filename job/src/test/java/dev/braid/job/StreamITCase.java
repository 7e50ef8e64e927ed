package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.connectors.registry.ModelRegistry;
import dev.braid.connectors.registry.ModelVersion;
import dev.braid.connectors.registry.RegistryPlace;
import dev.braid.job.console.ExitCodes;
import dev.braid.learner.OffsetRange;
import dev.braid.run.result.Evaluation;
import dev.braid.run.result.Outcome;
import dev.braid.run.result.RunHistory;
import dev.braid.run.result.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Training from topics of a real broker, and its replay. */
class StreamITCase {

  @RegisterExtension static final BrokerExtension BROKER = new BrokerExtension();

  private static final int ROUNDS_OF_WINDOW = 20;

  @TempDir private Path folder;

  private static String brokers() {
    return BROKER.process().address();
  }

  private static String data(String topic, String more) {
    return "{place: kafka:%s, features: [x1, x2, x3], label: label, classes: [0, 1], key: id, window: %d%s}"
        .formatted(topic, ROUNDS_OF_WINDOW, more);
  }

  private String[] train(String out, String data, String... more) {
    boolean hasBatch = Stream.of(more).anyMatch(word -> word.startsWith("--batch="));
    return Stream.concat(
            Stream.of(
                "--data=" + data,
                "--model=logistic",
                "--workers=3",
                "--kafka-brokers=" + brokers(),
                "--out=" + folder.resolve(out)),
            Stream.concat(Stream.of(more), hasBatch ? Stream.of() : Stream.of("--batch=10")))
        .toArray(String[]::new);
  }

  private Outcome trained(String out, String data, String... more) {
    String[] words =
        Stream.concat(Stream.of("train", "--web-port=0"), Stream.of(train(out, data, more)))
            .toArray(String[]::new);
    CommandRun run = CommandRun.withErrorOutput(words);
    assertThat(run.exitCode()).as(run.out()).isZero();
    return RunHistory.read(folder.resolve(out).resolve("history.jsonl")).outcome().orElseThrow();
  }

  private CommandRun replay(String out, String more) {
    return CommandRun.withErrorOutput(
        Stream.concat(
                Stream.of("replay", folder.resolve(out).toString()),
                Stream.of(more.split(" ")).filter(word -> !word.isEmpty()))
            .toArray(String[]::new));
  }

  @Test
  void aTopicIsTrainedOn_onceEachOffset_toTheSameBits_andReplayed() throws Exception {
    BROKER.feed("sea-bits", 5_000);
    String data = data("sea-bits", ", holdout: 0.05, until: latest");
    Outcome one = trained("one", data);
    Outcome other = trained("other", data);
    assertThat(one.ledgerExact()).isTrue();
    assertThat(one.ledger()).contains("5,000 offsets of 4 partitions");
    assertThat(one.identical()).isEqualTo(3);
    assertThat(other.digest()).isEqualTo(one.digest());
    assertThat(RunHistory.read(folder.resolve("one/history.jsonl")).evaluations())
        .hasSize(8)
        .allSatisfy(window -> assertThat(window.testSamples()).isBetween(1L, 100L));

    CommandRun whole = replay("one", "--to " + one.rounds());
    assertThat(whole.exitCode()).isZero();
    assertThat(whole.out()).contains(one.digest(), "8 digests, all equal");
    assertThat(replay("one", "--against " + folder.resolve("other")).exitCode()).isZero();

    // Without one record, the bits differ.
    assertThat(replay("one", "--without 0:999999").exitCode()).isEqualTo(ExitCodes.USAGE);
    CommandRun without = replay("one", "--without 0:3 --to " + one.rounds());
    assertThat(without.exitCode()).isZero();
    assertThat(without.out()).doesNotContain(one.digest());

    CommandRun round = replay("one", "--round 5");
    assertThat(round.exitCode()).isZero();
    assertThat(round.out().lines().skip(1)).hasSizeBetween(20, 30).allMatch(it -> it.contains(":"));
  }

  /** Samples of a topic are not counted by class before training. */
  @Test
  void classesOfATopicHaveWeights() throws Exception {
    BROKER.feed("sea-class-weights", 600);
    String data = data("sea-class-weights", ", until: latest");
    Outcome plain = trained("unweighted", data);
    Outcome weighted = trained("weighted", data, "--class-weights=1=3");
    assertThat(weighted.digest()).isNotEqualTo(plain.digest());

    Path model = folder.resolve("weighted/model.zip");
    String[] further =
        Stream.concat(Stream.of("train", "--web-port=0"), Stream.of(train("further", data)))
            .map(word -> word.startsWith("--model=") ? "--model=" + model : word)
            .toArray(String[]::new);
    CommandRun run = CommandRun.withErrorOutput(further);
    assertThat(run.exitCode()).as(run.out()).isZero();
    assertThat(run.out()).doesNotContain("no training sample of class");
  }

  /** Many batches of one record have no training sample, only one that is scored. */
  @Test
  void roundsWithScoredSamplesOnlyAreReplayed() throws Exception {
    BROKER.feed("sea-scored", 600);
    Outcome outcome =
        trained("scored", data("sea-scored", ", holdout: 0.4, until: latest"), "--batch=1");
    CommandRun replay = replay("scored", "--to " + outcome.rounds());
    assertThat(replay.exitCode()).as(replay.out()).isZero();
    assertThat(replay.out()).contains(outcome.digest());
  }

  @Test
  void aRunThatTrainsOnNothingFails() throws Exception {
    BROKER.feed("sea-other", 200);
    String data =
        data("sea-other", ", until: latest").replace("classes: [0, 1]", "classes: [yes, no]");
    CommandRun run =
        CommandRun.withErrorOutput(
            Stream.concat(Stream.of("train", "--web-port=0"), Stream.of(train("none", data)))
                .toArray(String[]::new));
    assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.FAILED);
  }

  @Test
  void aDigestThatDiffersIsFound() throws Exception {
    BROKER.feed("sea-false", 2_000);
    trained("run", data("sea-false", ", until: latest"));
    RecordedRun recorded = RecordedRun.read(folder.resolve("run/lineage").toString());
    String digest = recorded.digests().get(40L);
    try (Stream<Path> files = Files.list(folder.resolve("run/lineage"))) {
      for (Path file : files.toList()) {
        Files.writeString(
            file, Files.readString(file).replace(digest, digest.replace(digest.charAt(0), 'f')));
      }
    }
    CommandRun replayed = replay("run", "");
    assertThat(replayed.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(replayed.out()).contains("after round 40");
  }

  @Test
  void losesWorkers_getsThemBack_andEachOffsetIsUsedOnce() throws Exception {
    BROKER.feed("sea-lost", 20_000);
    String[] options =
        train(
            "lost",
            data("sea-lost", ""),
            "--checkpoint-interval=50ms",
            "--publish=" + folder.resolve("models"),
            "--publish-every=1",
            "--checkpoint-dir=" + folder.resolve("checkpoints"));
    Configuration settings = settings();
    Path lineage = folder.resolve("lost/lineage");
    try (TrainingCluster cluster = new TrainingCluster(settings, 3, 1)) {
      StreamExecutionEnvironment env =
          StreamExecutionEnvironment.getExecutionEnvironment(TrainingGraph.settings(options));
      JobClient job = cluster.submit(TrainingGraph.of(env, options).getJobGraph());
      awaitWindow(job, 2, 3, 3);
      cluster.loseTaskManager();
      BROKER.feed("sea-lost", 10_000);
      // Three workers have made at most 33 windows of the first 20,000 records.
      int fewer = awaitWindow(job, 35, 1, 2);
      // Rounds after the last checkpoint would be done again by three workers.
      TrainingCluster.awaitAnotherCheckpoint(folder.resolve("checkpoints"));
      TrainingCluster.awaitAnotherCheckpoint(folder.resolve("checkpoints"));
      cluster.addTaskManager();
      BROKER.feed("sea-lost", 10_000);
      int last = awaitWindow(job, fewer + 4, 3, 3);
      assertThat(last).isGreaterThan(fewer);
      // Wait for all samples, because the last round may be short.
      TrainingCluster.await(
          () -> {
            RecordedRun dealt = recorded(lineage);
            return offsets(dealt) == 40_000
                && TrainingCluster.status(job).map(Status::round).orElse(0L) == dealt.rounds();
          });
      job.cancel().get();
    }
    RecordedRun recorded = recorded(lineage);
    assertThat(recorded.deals()).anyMatch(deal -> deal.workers() < 3);
    assertThat(recorded.digests()).hasSizeGreaterThan(5);
    assertThat(versions(folder.resolve("models"))).hasSizeGreaterThan(5);
    areThoseOf(recorded, versions(folder.resolve("models")));
    assertThat(RunHistory.read(folder.resolve("lost/history.jsonl")).evaluations())
        .filteredOn(window -> window.epoch() > 20)
        .isNotEmpty()
        .allSatisfy(window -> assertThat(window.drift()).isFinite());
    CommandRun replayed = replay("lost", "");
    assertThat(replayed.exitCode()).as(replayed.out()).isZero();
  }

  private static List<ModelVersion> versions(Path registry) throws IOException {
    try (ModelRegistry opened = RegistryPlace.folder(registry.toString()).open()) {
      List<ModelVersion> versions = new ArrayList<>();
      for (int number : opened.numbers()) {
        versions.add(opened.version(number).orElseThrow());
      }
      return versions;
    }
  }

  private static void areThoseOf(RecordedRun recorded, List<ModelVersion> versions) {
    assertThat(versions)
        .allSatisfy(
            version -> {
              assertThat(version.run()).isEqualTo(recorded.began().run());
              // The last window may be shorter, and then has no digest in the lineage.
              if (version.round() % ROUNDS_OF_WINDOW == 0) {
                assertThat(version.digest()).isEqualTo(recorded.digests().get(version.round()));
                assertThat(version.figures()).containsKeys("loss", "accuracy", "trainLoss");
              }
              assertThat(version.files()).containsKeys("model.zip", "model.json", "model.onnx");
              long dealt = 0;
              for (Deal deal : recorded.deals()) {
                for (int worker = 0; worker < deal.workers(); worker++) {
                  for (long round = deal.firstRound(); round < deal.endRound(); round++) {
                    boolean isIn = round < version.round();
                    dealt += isIn ? OffsetRange.count(deal.batch(worker, round)) : 0;
                  }
                }
              }
              assertThat(OffsetRange.count(version.offsets())).isEqualTo(dealt);
            });
  }

  @Test
  void publishesVersions_ofTheModelsInItsLineage() throws Exception {
    BROKER.feed("sea-versions", 5_000);
    Path registry = folder.resolve("models");
    Outcome outcome =
        trained(
            "versions",
            data("sea-versions", ", until: latest"),
            "--publish=" + registry,
            "--publish-every=40",
            "--checkpoint-interval=50ms");
    List<ModelVersion> versions = versions(registry);
    assertThat(versions).hasSizeBetween(2, 5);
    areThoseOf(recorded(folder.resolve("versions/lineage")), versions);
    ModelVersion last = versions.get(versions.size() - 1);
    assertThat(last.round()).isEqualTo(outcome.rounds());
    assertThat(last.digest()).isEqualTo(outcome.digest());
    assertThat(OffsetRange.count(last.offsets())).isEqualTo(5_000);
  }

  /** Deals are in flight to the workers when their tasks end. */
  @Test
  void isStoppedWithASavepointWhileRecordsCome_andNeverRestarted() throws Exception {
    BROKER.feed("sea-stops", 10_000);
    Configuration settings = TrainingCluster.adaptive(0);
    Optional<String> savepoint = Optional.empty();
    try (TrainingCluster cluster = new TrainingCluster(settings, 1, 3)) {
      for (int stop = 1; stop <= 4; stop++) {
        String[] options =
            train(
                "stops",
                data("sea-stops", ""),
                Stream.concat(
                        Stream.of("--checkpoint-dir=" + folder.resolve("checkpoints")),
                        savepoint.stream().map("--restore="::concat))
                    .toArray(String[]::new));
        StreamExecutionEnvironment env =
            StreamExecutionEnvironment.getExecutionEnvironment(TrainingGraph.settings(options));
        JobClient job = cluster.submit(TrainingGraph.of(env, options).getJobGraph());
        awaitWindow(job, stop, 3, 3);
        TrainingCluster.await(() -> cluster.allTasksRun(job));
        BROKER.feed("sea-stops", 5_000);
        savepoint =
            Optional.of(
                job.stopWithSavepoint(
                        false,
                        folder.resolve("savepoints").toUri().toString(),
                        SavepointFormatType.CANONICAL)
                    .get(5, TimeUnit.MINUTES));
        TrainingCluster.await(() -> job.getJobStatus().join() == JobStatus.FINISHED);
      }
    }
    assertThat(offsets(recorded(folder.resolve("stops/lineage")))).isGreaterThan(10_000);
    CommandRun replayed = replay("stops", "");
    assertThat(replayed.exitCode()).as(replayed.out()).isZero();
  }

  private static RecordedRun recorded(Path lineage) {
    try {
      return RecordedRun.read(lineage.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long offsets(RecordedRun run) {
    return run.deals().stream()
        .flatMap(deal -> deal.shares().stream())
        .mapToLong(OffsetRange::count)
        .sum();
  }

  private static int awaitWindow(JobClient job, int window, int fewest, int most) {
    return TrainingCluster.awaitEpoch(job, window, fewest, most);
  }

  private static Configuration settings() {
    Configuration settings = TrainingCluster.adaptive(5);
    TrainingCluster.rescalesSoon(settings);
    return settings;
  }

  /** The run would otherwise train on offsets of another topic as if they were of this one. */
  @Test
  @Tag("long")
  void aTopicThatIsCreatedAgainEndsTheRun() throws Exception {
    BROKER.feed("sea-again", 600);
    String[] options = train("again", data("sea-again", ""));
    try (TrainingCluster cluster = new TrainingCluster(settings(), 3, 1);
        Admin admin = Admin.create(properties())) {
      StreamExecutionEnvironment env =
          StreamExecutionEnvironment.getExecutionEnvironment(TrainingGraph.settings(options));
      JobClient job = cluster.submit(TrainingGraph.of(env, options).getJobGraph());
      awaitWindow(job, 1, 3, 3);
      admin.deleteTopics(List.of("sea-again")).all().get();
      // The controller answers before the broker knows.
      TrainingCluster.await(() -> !topics(admin).contains("sea-again"));
      BROKER.feed("sea-again", 600);
      TrainingCluster.await(() -> job.getJobStatus().join() == JobStatus.FAILED);
    }
  }

  private static Set<String> topics(Admin admin) {
    try {
      return admin.listTopics().names().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRecordThatIsNoSampleGoesToTheDeadLetters_andStopsNothing() throws Exception {
    BROKER.feed("sea-bad", 600);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(properties(), new StringSerializer(), new StringSerializer())) {
      for (String value : List.of("{", "{\"x1\":1}", "[]", "")) {
        producer.send(new ProducerRecord<>("sea-bad", 0, "k", value)).get();
      }
      // A tombstone is not an invalid record.
      producer.send(new ProducerRecord<>("sea-bad", 0, "k", null)).get();
    }
    Outcome outcome = trained("bad", data("sea-bad", ", until: latest"));
    assertThat(outcome.ledgerExact()).isTrue();
    assertThat(outcome.ledger()).contains("605 offsets", "600 records trained on", "4 refused");
    assertThat(deadLetters("sea-bad.dead-letters", 4))
        .allSatisfy(
            letter -> {
              assertThat(header(letter, "reason")).isNotEmpty();
              assertThat(Long.parseLong(header(letter, "offset"))).isBetween(150L, 153L);
            });
  }

  /** The third feature of the stream is the weight of a sample. */
  @Test
  void samplesCountAsTheirWeightsSay_alsoInAReplay() throws Exception {
    BROKER.feed("sea-weights", 2_000);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(properties(), new StringSerializer(), new StringSerializer())) {
      String record = "{\"id\":1,\"x1\":1,\"x2\":1,\"label\":1";
      for (String end : List.of("}", ",\"x3\":-1}")) {
        producer.send(new ProducerRecord<>("sea-weights", 0, "k", record + end)).get();
      }
    }
    String plain = data("sea-weights", ", until: latest").replace(", x3", "");
    Outcome outcome = trained("weighted", plain.replace("window", "weight: x3, window"));
    assertThat(outcome.ledger()).contains("2,000 records trained on", "2 refused");
    assertThat(outcome.digest()).isNotEqualTo(trained("plain", plain).digest());
    assertThat(deadLetters("sea-weights.dead-letters", 2))
        .allSatisfy(letter -> assertThat(header(letter, "reason")).contains("x3"));
    CommandRun replayed = replay("weighted", "--to " + outcome.rounds());
    assertThat(replayed.exitCode()).as(replayed.out()).isZero();
    assertThat(replayed.out()).contains(outcome.digest());
  }

  private static void feedUnscaled(String topic) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(properties(), new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < 6_000; i++) {
        double x = random.nextGaussian();
        double y = random.nextGaussian();
        String value =
            "{\"id\":%d,\"time\":%d,\"size\":%s,\"kind\":\"%s\",\"label\":%d}"
                .formatted(
                    i,
                    1_700_000_000L + Math.round(3000 * x),
                    3e-8 + 1e-8 * y,
                    i % 2 == 0 ? "a" : "b",
                    x + y > 0 ? 1 : 0);
        // Closing waits for all of them.
        var unused = producer.send(new ProducerRecord<>(topic, "" + i, value));
      }
    }
  }

  /** A time in seconds has seven digits as a float, so a few labels cannot be determined. */
  @Test
  void numbersOfAnyScaleAreLearnt_replayed_andScoredByTheSavedModel() throws Exception {
    feedUnscaled("unscaled");
    String data =
        "{place: kafka:unscaled, features: {time: , size: , kind: {categories: [a, b]}}, label: label,"
            + " classes: [0, 1], key: id, window: 20, until: latest, standardize: true}";
    Outcome outcome = trained("scaled", data, "--updater=adam", "--learning-rate=0.05");
    List<Evaluation> windows =
        RunHistory.read(folder.resolve("scaled/history.jsonl")).evaluations();
    assertThat(windows.get(windows.size() - 1).testAccuracy()).isGreaterThan(0.9);

    Path replayed = Files.createDirectory(folder.resolve("replayed")).resolve("model.zip");
    CommandRun replay = replay("scaled", "--to " + outcome.rounds() + " --model " + replayed);
    assertThat(replay.exitCode()).as(replay.out()).isZero();
    assertThat(replay.out()).contains(outcome.digest());
    assertThat(replayed.resolveSibling("model.json"))
        .hasSameTextualContentAs(folder.resolve("scaled/model.json"));
    CommandRun next = replay("scaled", "--model " + folder.resolve("scaled/replayed.zip"));
    assertThat(next.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(next.err()).contains("replayed.zip", "model.json", "another folder");

    CommandRun rounded =
        CommandRun.withErrorOutput(
            Stream.concat(
                    Stream.of("train"),
                    Stream.of(train("rounded", data, "--exchange=ring:compress=fp16")))
                .toArray(String[]::new));
    assertThat(rounded.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(rounded.err()).contains("ring:compress=fp16", "standardize");

    String rows = "time,size,kind\n1700005000,4e-8,a\n1699995000,2e-8,b\n";
    CommandRun predicted =
        CommandRun.of(
            "predict",
            "--model",
            folder.resolve("scaled/model.zip").toString(),
            Files.writeString(folder.resolve("rows.csv"), rows).toString());
    assertThat(predicted.exitCode()).as(predicted.err()).isZero();
    assertThat(predicted.out().lines().skip(1).map(it -> it.charAt(0))).containsExactly('1', '0');
  }

  private static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static List<ConsumerRecord<String, String>> deadLetters(String topic, int count)
      throws IOException {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties(), new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      List<ConsumerRecord<String, String>> letters = new ArrayList<>();
      TrainingCluster.await(
          () -> {
            consumer.poll(Duration.ofMillis(100)).forEach(letters::add);
            return letters.size() >= count;
          });
      return letters;
    }
  }

  private static Properties properties() {
    Properties properties = new Properties();
    properties.putAll(Map.of("bootstrap.servers", brokers()));
    return properties;
  }
}
