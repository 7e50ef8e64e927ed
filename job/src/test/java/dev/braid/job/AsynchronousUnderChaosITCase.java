package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.chaos.event.Happening.Outcome;
import dev.braid.chaos.stream.KafkaTopic;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.loop.coordinator.StoppingRule;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Asynchronous exchanges with faulty links, and with an unreachable worker: no gradient is lost,
 * and replicas agree at the end.
 */
class AsynchronousUnderChaosITCase extends ChaosTraining {

  /**
   * Replicas differ slightly, because they add up the same gradients in another order, or average
   * with other replicas.
   */
  @ParameterizedTest
  @ValueSource(strings = {"ako", "all-to-all", "gossip"})
  void linksThatFailLoseNoGradient(String title) throws Exception {
    ExchangeType exchange = ExchangeType.named(title).orElseThrow();
    ChaosRun faulty = amongFaults(exchange);
    float apart = exchange == ExchangeType.GOSSIP ? 0.3f : 1e-4f;
    List<float[]> weights = faulty.weights();
    assertThat(weights)
        .allSatisfy(replica -> assertThat(replica).containsExactly(weights.get(0), within(apart)));
    assertAllHit(faulty);
  }

  /**
   * The links of an unreachable worker must learn of the event's round, too; otherwise it would not
   * rejoin.
   */
  @Test
  void aWorkerThatIsCutOffComesBackInTheRoundOfAnEvent() throws Exception {
    ChaosRun run = cutOffForRounds(ExchangeType.AKO);
    // The run ends only when all workers have finished.
    GatedModel.gate(name).letPass(ALL);
    assertThat(run.weights()).hasSize(WORKERS);
  }

  /**
   * Of 68 rounds, 5 to 39 run without worker 3. It then receives what it has missed, and the run
   * waits for it.
   */
  @Test
  void anAsynchronousExchangeGoesOnWithoutAWorkerThatIsCutOff() throws Exception {
    checkGoesOnWithoutAWorker(ExchangeType.AKO, StoppingRule.NONE);
  }

  /** The other workers also pass the ends of two epochs, where they wait for a verdict. */
  @ParameterizedTest
  @ValueSource(strings = {"ako", "sharing"})
  void anAsynchronousExchangeWithATargetGoesOnWithoutAWorkerThatIsCutOff(String title)
      throws Exception {
    name += title;
    checkGoesOnWithoutAWorker(
        ExchangeType.named(title).orElseThrow(), new StoppingRule(Double.NaN, EPOCHS));
  }

  private void checkGoesOnWithoutAWorker(ExchangeType exchange, StoppingRule stopping)
      throws Exception {
    KafkaTopic topic = topic();
    ChaosRun run =
        run(name, exchange, OPTIONS, stopping, Optional.of(source(topic)), new Configuration());
    isolateAfterRound5(run, topic);
    GatedModel.gate(name).letPass(40);
    await(() -> GatedModel.gate(name).countAt(40) == WORKERS - 1);
    int bound = WORKERS - 1 + OPTIONS.get(ExchangeOptions.STALENESS);
    assertThat(GatedModel.gate(name).least()).isLessThanOrEqualTo(5 + bound + 1);
    send(topic, "rejoin 3 id r");
    GatedModel.gate(name).letPass(ALL);
    List<float[]> weights = run.weights();
    assertThat(weights)
        .allSatisfy(replica -> assertThat(replica).containsExactly(weights.get(0), within(1e-4f)));
    ExactLedger.check(run.ledger(), EPOCHS, data.check().train().samples());
  }

  /**
   * Checkpoints are due every 50 ms. Savepoints are requested between rounds without worker 3. Each
   * is declined with a reason, like such a checkpoint; so is a stop with a savepoint. The job
   * tolerates no failure and no restart, so a declined checkpoint does not count as a failure.
   */
  @Test
  void checkpointsWhileAWorkerIsCutOffAreDeclined_andAnAsynchronousExchangeGoesOn()
      throws Exception {
    KafkaTopic topic = topic();
    Configuration settings = checkpointing();
    settings.setString("restart-strategy.type", "disable");
    ChaosRun run = run(name, ExchangeType.AKO, OPTIONS, Optional.of(source(topic)), settings);
    GatedModel.Gate gate = GatedModel.gate(name);
    gate.letPass(5);
    await(() -> gate.least() == 5 && checkpoints() > 0);
    sendUntil(Outcome.APPLIED, run, topic, "isolate 3 id i");
    gate.letPass(20);
    await(() -> gate.countAt(20) == WORKERS - 1);
    long isolated = System.currentTimeMillis();
    for (int rounds = 25; rounds <= 50; rounds += 5) {
      boolean stop = rounds == 30;
      assertThatThrownBy(() -> savepoint(run, stop))
          .rootCause()
          .hasMessageContaining("rank 3 is unreachable");
      gate.letPass(rounds);
      int others = rounds;
      await(() -> gate.countAt(others) == WORKERS - 1);
    }
    // A checkpoint that began earlier may have been completed since.
    assertThat(FLINK.newestCheckpointBegan(run.client().getJobID()))
        .as("beginning of the newest complete checkpoint")
        .isLessThan(isolated);
    long taken = checkpoints();
    assertThat(gate.least()).isLessThan(20);
    send(topic, "rejoin 3 id r");
    await(() -> checkpoints() > taken);
    assertThat(checkpoints() - taken)
        .as("numbers of checkpoints that were declined")
        .isGreaterThan(6);
    gate.letPass(ALL);
    List<float[]> weights = run.weights();
    assertThat(weights)
        .allSatisfy(replica -> assertThat(replica).containsExactly(weights.get(0), within(1e-4f)));
    ExactLedger.check(run.ledger(), EPOCHS, data.check().train().samples());
  }

  private static String savepoint(ChaosRun run, boolean stop) throws Exception {
    String place = folder.resolve("savepoints").toUri().toString();
    CompletableFuture<String> savepoint =
        stop
            ? run.client().stopWithSavepoint(false, place, SavepointFormatType.CANONICAL)
            : run.client().triggerSavepoint(place, SavepointFormatType.CANONICAL);
    return savepoint.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
