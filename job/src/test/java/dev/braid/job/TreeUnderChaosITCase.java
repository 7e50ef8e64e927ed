package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.chaos.event.Events;
import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.event.HappeningLog;
import dev.braid.chaos.event.Start;
import dev.braid.chaos.stream.BrokerAwayException;
import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.chaos.stream.KafkaTopics;
import dev.braid.exchange.registry.ExchangeType;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A tree, which waits for every message, under chaos events from a file or a broker: late and
 * malformed events, an unreachable broker, and a failure.
 */
class TreeUnderChaosITCase extends ChaosTraining {

  private static List<String> undisturbed;

  @BeforeAll
  static void runCalmly() throws Exception {
    undisturbed = calm(ExchangeType.TREE);
  }

  @Test
  void theBrokerListensOnThisMachineOnly() throws IOException {
    assertThat(BROKER.process().listensAt()).isNotEmpty().allMatch(InetAddress::isLoopbackAddress);
  }

  @Test
  void lateMessagesAndSlowRanksChangeNoBit() throws Exception {
    List<String> events =
        List.of(
            "delay 0 1 by 2ms jitter 3ms at-round 3 for 2s",
            "",
            "throttle 2 bytes-per-second 50000 at-round 5 for 2s",
            "straggle 3 factor 20 at-round 2",
            "isolate 4");
    ChaosRun run = run(name, Optional.of(new EventSource.Lines(events)), new Configuration());
    GatedModel.gate(name).letPass(40);
    await(() -> run.ids(Outcome.ENDED).containsAll(List.of("line/1", "line/3")));
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    assertThat(run.happenings(Outcome.APPLIED))
        .extracting(happening -> happening.event().id().orElseThrow())
        .containsExactlyInAnyOrder("line/1", "line/3", "line/4");
    assertThat(run.happenings(Outcome.APPLIED))
        .allSatisfy(
            happening ->
                assertThat(new Start.AtRound(happening.round()))
                    .isEqualTo(happening.event().start()));
    assertThat(run.deadLetters())
        .singleElement()
        .asString()
        .contains("line/5", "rank 4: the training has 4 ranks, 0 to 3");
    assertThat(run.ids(Outcome.TOUCHED)).contains("line/1", "line/3");
    assertThat(run.told())
        .anyMatch(line -> line.contains("refused: rank 4: the training has 4 ranks, 0 to 3"));
  }

  /**
   * A job takes seconds until its first round; a schedule that started earlier would be half over.
   */
  @Test
  void timeCountsFromTheFirstRound() throws Exception {
    String event = "delay 1 0 by 1ms after 1ms";
    ChaosRun run =
        run(name, Optional.of(new EventSource.Lines(List.of(event))), new Configuration());
    await(() -> GatedModel.gate(name).waiting() == WORKERS);
    Instant opened = Instant.now();
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    assertThat(run.lines("chaos-applied.jsonl"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(HappeningLog.read(line).at()).isAfterOrEqualTo(opened));
    assertThat(run.happenings(Outcome.TOUCHED)).isNotEmpty();
  }

  /**
   * The message from rank 1 to rank 3 in round 5 answers a message that is lost in the other
   * direction. Its link therefore sees no message of that round before the cut is over.
   */
  @Test
  void aCutThatStartsInARoundIsOneTimeForBothDirections() throws Exception {
    String event = "cut 3 1 at-round 5 for 2s";
    ChaosRun run =
        run(name, Optional.of(new EventSource.Lines(List.of(event))), new Configuration());
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    long ended = run.happenings(Outcome.ENDED).get(0).nanos();
    assertThat(run.happenings(Outcome.TOUCHED))
        .isNotEmpty()
        .allSatisfy(touched -> assertThat(touched.nanos()).isLessThanOrEqualTo(ended));
  }

  /** All kinds of trees have the same bits. */
  @ParameterizedTest
  @ValueSource(strings = {"tree", "ft-tree"})
  void linksThatFailChangeNoBit(String title) throws Exception {
    ChaosRun faulty = amongFaults(ExchangeType.named(title).orElseThrow());
    assertThat(faulty.digests()).isEqualTo(undisturbed);
    assertAllHit(faulty);
  }

  @Test
  void aTreeWithACutLinkStandsStillAndCanBeCancelled() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = run(name, Optional.of(source(topic)), new Configuration());
    sendUntil(Outcome.APPLIED, run, topic, "cut 1 0 id c");
    GatedModel.gate(name).letPass(ALL);
    await(() -> GatedModel.gate(name).least() == 1);
    var result = run.client().getJobExecutionResult();
    run.client().cancel().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThatThrownBy(() -> result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(JobCancellationException.class);
    assertThat(GatedModel.gate(name).most()).isLessThanOrEqualTo(1);
  }

  @Test
  void aThousandMalformedEventsAreDeadLettersWithAReason() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = run(name, Optional.of(source(topic)), new Configuration());
    long seed = System.nanoTime();
    System.out.println("malformed events are drawn with seed " + seed);
    send(topic, Events.malformed(seed, 1000, WORKERS));
    await(() -> run.deadLetters().size() == 1000);
    // The end of the job waits only seconds for a slow broker.
    await(() -> size(topic.deadLetters()) == 1000);
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    assertThat(run.deadLetters()).hasSize(1000).allMatch(line -> line.contains("\"reason\":\""));
    assertThat(KafkaTopics.read(topic.deadLetters())).isEqualTo(run.deadLetters());
    assertThat(run.lines("chaos-applied.jsonl")).isEmpty();
    // A corrupted digit may leave a valid event, for a rank or a level that does not exist.
    assertThat(run.told())
        .allMatch(line -> line.contains(" valid chaos event") || line.contains(" refused: "))
        .filteredOn(line -> line.contains(" valid chaos event"))
        .hasSizeBetween(5, 6)
        .contains("100 records are not valid chaos events so far");
  }

  private static int size(KafkaTopic topic) {
    try {
      return KafkaTopics.read(topic).size();
    } catch (BrokerAwayException e) {
      throw new AssertionError(e);
    }
  }

  private static void send(KafkaTopic topic, List<byte[]> records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            topic.clientProperties(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (byte[] bytes : records) {
        var unused = producer.send(new ProducerRecord<>(topic.name(), bytes));
      }
    }
  }

  @Test
  void aBrokerThatIsAwayForAWhileChangesNothing() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = run(name, Optional.of(source(topic)), new Configuration());
    sendUntil(Outcome.APPLIED, run, topic, "straggle 1 factor 2 id a");
    GatedModel.gate(name).letPass(3);
    BROKER.process().stop();
    try {
      GatedModel.gate(name).letPass(6);
      await(() -> GatedModel.gate(name).least() == 6);
    } finally {
      BROKER.process().start();
    }
    sendUntil(Outcome.ENDED, run, topic, "rejoin 1 id b");
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
  }

  @Test
  void trainingEndsThoughTheBrokerIsAway() throws Exception {
    ChaosRun run = run(name, Optional.of(source(topic())), new Configuration());
    GatedModel.gate(name).letPass(1);
    BROKER.process().stop();
    try {
      GatedModel.gate(name).letPass(ALL);
      assertThat(run.digests()).isEqualTo(undisturbed);
    } finally {
      BROKER.process().start();
    }
  }

  @Test
  void afterAFailureTheSameFaultsAreInForce() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = run(name, Optional.of(source(topic)), tolerantCheckpointing());
    sendUntil(Outcome.APPLIED, run, topic, "delay 1 0 by 1ms id d");
    GatedModel.gate(name).letPass(5);
    await(() -> GatedModel.gate(name).least() == 5);
    awaitTwoCheckpoints();
    GatedModel.gate(name).failOnce();
    GatedModel.gate(name).letPass(8);
    sendUntil(Outcome.ENDED, run, topic, "heal 1 0 id h");
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.digests()).isEqualTo(undisturbed);
    assertThat(run.happenings(Outcome.ENDED).get(0).event().id()).hasValue("d");
    assertThat(run.happenings(Outcome.IGNORED)).isEmpty();
  }
}
