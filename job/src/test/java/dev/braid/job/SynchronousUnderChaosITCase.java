package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.stream.EventSource;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.averaging.AveragingDescriptor;
import dev.braid.exchange.averaging.AveragingDescriptor.Sums;
import dev.braid.exchange.registry.ExchangeType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.flink.configuration.Configuration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Synchronous exchanges that route around faulty links, or continue without a worker that has no
 * route left. The bits are those of an undisturbed run, or of a run of the remaining workers.
 */
class SynchronousUnderChaosITCase extends ChaosTraining {

  @ParameterizedTest
  @ValueSource(strings = {"mesh", "averaging"})
  void linksThatFailChangeNoBit(String title) throws Exception {
    ExchangeType exchange = ExchangeType.named(title).orElseThrow();
    List<String> expected = calm(exchange);
    ChaosRun faulty = amongFaults(exchange);
    assertThat(faulty.digests()).isEqualTo(expected);
    assertAllHit(faulty);
  }

  @Test
  void aWorkerThatIsCutOffIsLeftOut_andCatchesUp() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = elastic(source(topic), new Configuration());
    isolate(topic, run);
    send(topic, "rejoin 3 id r");
    passOneByOneUntil(() -> GatedModel.gate(name).least() > 6, 20);
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.finishedIn()).isEqualTo(WORKERS);
  }

  /**
   * The links of an unreachable worker must learn of the event's round, too; otherwise it would not
   * rejoin.
   */
  @ParameterizedTest
  @ValueSource(strings = {"ft-tree", "mesh"})
  void aWorkerThatIsCutOffComesBackInTheRoundOfAnEvent(String title) throws Exception {
    name += title;
    ChaosRun run = cutOffForRounds(ExchangeType.named(title).orElseThrow());
    // Worker 3 becomes unreachable in its fifth or sixth round, and has one more when it rejoins.
    passOneByOneUntil(() -> GatedModel.gate(name).least() > 6, 40);
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.finishedIn()).isEqualTo(WORKERS);
  }

  /**
   * Lets the others complete rounds one by one, so that some are left when the unreachable worker
   * rejoins.
   */
  private void passOneByOneUntil(BooleanSupplier condition, int passed) {
    GatedModel.Gate gate = GatedModel.gate(name);
    AtomicInteger rounds = new AtomicInteger(passed);
    Awaitility.await("the worker")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              if (condition.getAsBoolean()) {
                return true;
              }
              if (gate.countAt(rounds.get()) >= WORKERS - 1) {
                assertThat(rounds).as("rounds, and it is not back").hasValueLessThan(60);
                gate.letPass(rounds.incrementAndGet());
              }
              return false;
            });
  }

  @Test
  void aWorkerThatIsCutOffInTheEndIsToldApart() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = elastic(source(topic), new Configuration());
    isolate(topic, run);
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.finishedIn()).isEqualTo(WORKERS - 1);
  }

  /** Others train to the end meanwhile, and take one more average with the worker. */
  @Test
  void aWorkerThatIsCutOffFromAverages_isInTheLastOne() throws Exception {
    KafkaTopic topic = topic();
    ExchangeOptions options = OPTIONS.with(AveragingDescriptor.SUMS, Sums.FT_TREE);
    ChaosRun run =
        run(name, ExchangeType.AVERAGING, options, Optional.of(source(topic)), new Configuration());
    isolateAfterRound5(run, topic);
    GatedModel.gate(name).letPass(ALL);
    await(() -> GatedModel.gate(name).most() > 30);
    assertThat(GatedModel.gate(name).least()).isLessThanOrEqualTo(10);
    send(topic, "rejoin 3 id r");
    assertThat(run.finishedIn()).isEqualTo(WORKERS);
  }

  @Test
  void aCheckpointWhileAWorkerIsCutOffBringsAllBackTogether() throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run = elastic(source(topic), tolerantCheckpointing());
    isolate(topic, run);
    awaitTwoCheckpoints();
    GatedModel.gate(name).failOnce();
    await(() -> GatedModel.gate(name).hasFailed());
    // Gradients count from 0 after the restart, and worker 3 is isolated again.
    await(() -> GatedModel.gate(name).least() <= 2);
    send(topic, "rejoin 3 id r");
    // The others must not be through before the event arrives.
    passOneByOneUntil(() -> GatedModel.gate(name).least() > 2, 20);
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.finishedIn()).isEqualTo(WORKERS);
  }

  private ChaosRun elastic(EventSource events, Configuration settings) throws Exception {
    return run(name, ExchangeType.FT_TREE, OPTIONS, Optional.of(events), settings);
  }

  /** Runs rounds 5 to 19 without worker 3. */
  private void isolate(KafkaTopic topic, ChaosRun run) throws Exception {
    isolateAfterRound5(run, topic);
    GatedModel.gate(name).letPass(20);
    await(() -> GatedModel.gate(name).most() == 20);
    assertThat(GatedModel.gate(name).least()).isLessThanOrEqualTo(6);
  }
}
