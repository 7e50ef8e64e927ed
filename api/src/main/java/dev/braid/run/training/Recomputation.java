package dev.braid.run.training;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.lineage.RecordedRun;
import dev.braid.connectors.stream.RecordedBatches;
import dev.braid.worker.LocalTraining;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;

/** A recorded run that is trained again, in one thread, with the records of its topic. */
public final class Recomputation implements AutoCloseable {

  /**
   * Result of a comparison with recorded digests.
   *
   * @param compared number of digests that were compared
   * @param firstDifference number of rounds after which the first digest differs; empty if all are
   *     equal
   */
  public record Comparison(int compared, Optional<Long> firstDifference) {}

  private final RecordedRun run;
  private final RecordedBatches batches;
  private LocalTraining training;
  private int deal;

  /**
   * Continues from the state of a training. {@link #close} closes the training and the batches.
   *
   * @param training with as many workers as the run has in the next round
   */
  public Recomputation(RecordedRun run, LocalTraining training, RecordedBatches batches) {
    this.run = run;
    this.training = training;
    this.batches = batches;
  }

  /** Returns the deal of a round. */
  public static Deal dealOf(RecordedRun run, long round) {
    int low = 0;
    int high = run.deals().size() - 1;
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (run.deals().get(middle).firstRound() <= round) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return run.deals().get(low);
  }

  /**
   * Trains until this many rounds are complete, or a digest differs.
   *
   * @param shown takes the result of each round
   */
  public Comparison run(long rounds, Consumer<LocalTraining.RoundResult> shown)
      throws IOException, InterruptedException {
    int compared = 0;
    while (training.rounds() < rounds) {
      shown.accept(round(training.rounds()));
      Optional<String> recorded = Optional.ofNullable(run.digests().get(training.rounds()));
      if (recorded.isPresent()) {
        compared++;
        if (!recorded.get().equals(digest())) {
          return new Comparison(compared, Optional.of(training.rounds()));
        }
      }
    }
    return new Comparison(compared, Optional.empty());
  }

  private LocalTraining.RoundResult round(long round) throws IOException, InterruptedException {
    while (run.deals().get(deal).endRound() <= round) {
      deal++;
    }
    Deal now = run.deals().get(deal);
    if (now.workers() != training.workers()) {
      LocalTraining others = training.withWorkers(now.workers());
      training.close();
      training = others;
    }
    return training.round(batches.round(now, round));
  }

  /** Returns the number of complete rounds. */
  public long rounds() {
    return training.rounds();
  }

  /** Returns the digest of the current model, in hexadecimal. */
  public String digest() {
    return HexFormat.of().formatHex(training.digest());
  }

  /** Returns the current weights; the next round changes the array. */
  public float[] weights() {
    return training.weights();
  }

  /** Returns the records of rounds. */
  public RecordedBatches batches() {
    return batches;
  }

  @Override
  public void close() {
    batches.close();
    training.close();
  }
}
