package dev.braid.chaos.sim;

import dev.braid.chaos.sim.condition.CodedGradients;
import dev.braid.chaos.sim.condition.Epochs;
import dev.braid.chaos.sim.condition.Gradients;
import dev.braid.coding.CodeTree;
import dev.braid.exchange.Contribution;
import dev.braid.worker.BareTrainer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Batches of one rank, one for each round from the first round of the run. Where trees are chosen
 * again after each epoch, no batch of an epoch comes before the epoch's tree is known.
 */
final class SimulatedSource {

  /**
   * Number of batches to keep: those that wait, that of the current round, and the last one, whose
   * round may be rolled back.
   */
  private static final int KEPT_BATCHES = BareTrainer.PREFETCHED_BATCHES + 2;

  private final int rank;
  private final Simulation simulation;
  private final Runnable askAgain;

  /** Batches that have come and may still be used, by number. */
  private final Map<Long, Contribution> drawn = new HashMap<>();

  private Gradients gradients;

  /** Number of the round that would have used batch 0. */
  private long roundOfFirst;

  private long nextBatch;
  private int beforeEpoch = Integer.MAX_VALUE;

  /** Number of batches that were requested and wait for a tree. */
  private int waiting;

  /**
   * Creates the source of a rank.
   *
   * @param askAgain requests a batch that could not come before
   */
  SimulatedSource(int rank, Simulation simulation, Runnable askAgain) {
    this.rank = rank;
    this.simulation = simulation;
    this.askAgain = askAgain;
    this.gradients = simulation.gradients();
  }

  /** Starts with the batch of the first round of a run. */
  void begin(long round) {
    long[] first = simulation.firstBatches();
    roundOfFirst = rank < first.length ? round - first[rank] : 0;
    restart(round);
  }

  /** Returns the number of the batch of a round. */
  long batch(long round) {
    return round - roundOfFirst;
  }

  /** Starts again after a crash, with the batch of this round. */
  void restart(long round) {
    nextBatch = batch(round);
    waiting = 0;
    gradients = simulation.gradients();
    beforeEpoch = Integer.MAX_VALUE;
  }

  /** Hands over the next batch, or reports that there is none left. */
  void next(BareTrainer trainer) {
    Epochs epochs = simulation.epochs();
    if (nextBatch == simulation.rounds()) {
      trainer.exhausted();
    } else if (epochs.of(nextBatch) >= beforeEpoch) {
      waiting++;
    } else {
      long number = nextBatch++;
      Contribution batch = gradients.of(rank, number);
      drawn.put(number, batch);
      drawn.remove(number - KEPT_BATCHES);
      int samples = Math.toIntExact(batch.samples());
      trainer.batch(epochs.of(number), (int) number, samples, epochs.endWith(number));
    }
  }

  /** Takes the tree of an epoch; empty while it is not chosen. */
  void planned(Optional<CodeTree> codes, int before) {
    beforeEpoch = before;
    if (codes.isPresent()) {
      gradients = CodedGradients.of(simulation.gradients(), codes.get());
      for (; waiting > 0; waiting--) {
        askAgain.run();
      }
    }
  }

  /** Returns this rank's gradient of a batch for these weights. */
  float[] gradient(long number, float[] weights) {
    // Compute it when the computation begins: a rank that is excluded for long gets batches far
    // ahead of this one before the gradient is ready, and this one is forgotten.
    return simulation.gradients().at(weights, drawn.get(number).gradient());
  }
}
