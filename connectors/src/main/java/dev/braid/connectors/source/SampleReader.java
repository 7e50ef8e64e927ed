package dev.braid.connectors.source;

import dev.braid.connectors.DataChecksums;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.random.Permutation;
import dev.braid.learner.Batch;
import dev.braid.learner.Samples;
import dev.braid.learner.SharedSamples;
import dev.braid.loop.SourceGate;
import dev.braid.vector.Range;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Emits the batches of one share, each against a credit of the worker behind it. If rounds are
 * computed redundantly, it emits the worker's part of all shares' batches.
 *
 * <p>The reader has no thread: a batch is assembled when the task polls for it. The position in a
 * checkpoint is that of the oldest batch that the worker has not used up. Batches that wait in the
 * worker are therefore emitted again after a restore, and need not be in the worker's state.
 */
final class SampleReader implements SourceReader<Batch, ShardSplit> {

  private final DataLocation location;
  private final Holdout holdout;
  private final Optional<DataChecksums> checksums;
  private final ShardPlan plan;
  private final long seed;
  private final String job;
  private final String attemptId;
  private final boolean idle;
  private Optional<CodedRounds> coded;
  private final CompletableFuture<Void> dealt = new CompletableFuture<>();

  /**
   * Positions at which the newest batches began, the oldest first; at least those of the
   * outstanding batches.
   */
  private final ArrayDeque<List<ShardSplit>> emitted = new ArrayDeque<>();

  /**
   * Position of the next batch, in the reader's share or in all shares; empty before they are
   * dealt.
   */
  private List<ShardSplit> position = List.of();

  private Optional<SharedSamples> shared = Optional.empty();
  private Optional<Samples> samples = Optional.empty();
  private Optional<SourceGate> openGate = Optional.empty();
  private int[] order = {};
  private int orderEpoch = -1;

  /**
   * Creates a reader that waits for its share.
   *
   * @param checksums required checksums of the data; empty if it is not compared
   * @param job job whose readers in this JVM share the data
   * @param idle whether the reader never gets a share, and has no batch for its worker
   * @param coded the worker's redundant rounds, if the reader gets all shares
   */
  SampleReader(
      DataLocation location,
      Holdout holdout,
      Optional<DataChecksums> checksums,
      ShardPlan plan,
      long seed,
      String job,
      String attemptId,
      boolean idle,
      Optional<CodedRounds> coded) {
    this.location = location;
    this.holdout = holdout;
    this.checksums = checksums;
    this.plan = plan;
    this.seed = seed;
    this.job = job;
    this.attemptId = attemptId;
    this.idle = idle;
    this.coded = coded;
  }

  @Override
  public void start() {
    // Flink creates the reader before it opens the chain, and starts it when all operators behind
    // it are open.
    openGate = Optional.of(SourceGate.of(attemptId));
    if (idle) {
      dealt.complete(null);
      return;
    }
    Samples opened = open();
    if (opened.size() != plan.samples()) {
      throw new SuppressRestartsException(
          new InvalidDataException(
              "%s: %,d samples to train with here: %,d were found when the job was made"
                  .formatted(location.place(), opened.size(), plan.samples())));
    }
    samples = Optional.of(opened);
  }

  private Samples open() {
    shared = Optional.of(SharedSamples.use(job + "/train", this::read));
    try {
      return shared.get().get();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads the data, once for all readers in this JVM. */
  private Samples read() {
    Samples read = location.openEpochs(seed);
    return holdout.trainingOf(
        checksums.map(sums -> sums.requireTrain(location.place(), read)).orElse(read));
  }

  @Override
  public InputStatus pollNext(ReaderOutput<Batch> output) {
    SourceGate gate = gate();
    if (gate.finished()) {
      return InputStatus.END_OF_INPUT;
    }
    if (position.isEmpty()) {
      if (idle) {
        gate.exhausted();
      }
      return InputStatus.NOTHING_AVAILABLE;
    }
    List<ShardSplit> shares = position;
    if (shares.get(0).isExhausted(plan.epochs())) {
      gate.exhausted();
      return gate.finished() ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
    }
    if (!gate.tryTake(shares.get(0).epochOfNext())) {
      return InputStatus.NOTHING_AVAILABLE;
    }
    List<ShardSplit.Step> steps = shares.stream().map(it -> it.next(plan.samples())).toList();
    coded = coded.map(rounds -> gate.codes().map(rounds::by).orElse(rounds));
    position = steps.stream().map(ShardSplit.Step::after).toList();
    remember(shares, gate.outstanding());
    output.collect(batch(steps));
    // The next call finds no credit, or reports to the gate that nothing is left.
    return InputStatus.MORE_AVAILABLE;
  }

  private Batch batch(List<ShardSplit.Step> steps) {
    ShardSplit.Step first = steps.get(0);
    int epoch = first.epoch();
    if (coded.isEmpty()) {
      return batches().of(epoch, ids(epoch, first.positions()), first.lastOfEpoch());
    }
    if (!steps.stream().allMatch(it -> it.epoch() == epoch)) {
      throw new IllegalStateException(
          "shares of a round are in epochs "
              + steps.stream().map(it -> String.valueOf(it.epoch())).toList()
              + ": all must be in one");
    }
    List<int[]> shares = steps.stream().map(it -> ids(epoch, it.positions())).toList();
    return coded.get().batch(batches(), epoch, shares, first.lastOfEpoch());
  }

  /**
   * Returns the creation of batches. A batch of a whole share copies features only when they are
   * needed.
   */
  private CodedRounds.Batches batches() {
    Samples all = samples.orElseThrow();
    return plan.batchSize() == SampleSource.ALL ? all::deferredBatch : all::batch;
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    // Credits arrive before the share does: waiting for the gate only would spin in the meantime.
    return dealt.isDone() ? gate().available() : dealt;
  }

  @Override
  public void addSplits(List<ShardSplit> splits) {
    boolean isAllThatItNeeds = coded.isPresent() || splits.size() == 1;
    if (idle || !isAllThatItNeeds || splits.isEmpty() || !position.isEmpty()) {
      throw new IllegalStateException(
          (idle ? "an idle reader gets no share" : "a reader gets one share, or all, once")
              + ", and not "
              + splits);
    }
    position = splits.stream().sorted(Comparator.comparingInt(ShardSplit::shard)).toList();
    dealt.complete(null);
  }

  @Override
  public void notifyNoMoreSplits() {}

  @Override
  public List<ShardSplit> snapshotState(long checkpointId) {
    if (position.isEmpty()) {
      return List.of();
    }
    int outstanding = gate().outstanding();
    if (outstanding == 0) {
      return position;
    }
    remember(outstanding);
    return emitted.getFirst();
  }

  @Override
  public void close() {
    shared.ifPresent(SharedSamples::close);
  }

  private SourceGate gate() {
    return openGate.orElseThrow(() -> new IllegalStateException("the reader is not started"));
  }

  private void remember(List<ShardSplit> before, int outstanding) {
    emitted.addLast(before);
    remember(outstanding);
  }

  /** Removes the positions of batches that are used up. */
  private void remember(int outstanding) {
    while (emitted.size() > outstanding) {
      emitted.removeFirst();
    }
  }

  private int[] ids(int epoch, List<Range> positions) {
    if (orderEpoch != epoch) {
      order = Permutation.of(plan.samples(), seed, epoch);
      orderEpoch = epoch;
    }
    int[] ids = new int[Positions.count(positions)];
    int filled = 0;
    for (Range range : positions) {
      System.arraycopy(order, range.start(), ids, filled, range.length());
      filled += range.length();
    }
    return ids;
  }
}
