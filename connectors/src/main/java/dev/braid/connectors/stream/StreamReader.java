package dev.braid.connectors.stream;

import dev.braid.connectors.lineage.Deal;
import dev.braid.connectors.stream.StreamEvent.DealtShare;
import dev.braid.connectors.stream.StreamEvent.ModelDigest;
import dev.braid.connectors.stream.StreamEvent.ResumedBehind;
import dev.braid.learner.Batch;
import dev.braid.loop.SourceGate;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;

/**
 * Emits the batches that were dealt to a worker, each against a credit of the worker behind it. A
 * {@link BatchFetcher} reads and decodes records in its own threads.
 *
 * <p>The position in a checkpoint is the round of the oldest batch that the worker has not used up.
 * The enumerator knows the corresponding offsets.
 */
final class StreamReader implements SourceReader<Batch, StreamPosition> {

  private final SourceReaderContext context;
  private final StreamConfig config;
  private final String attemptId;
  private final boolean isIdle;

  /** End rounds of the deals that the worker has not used up, the oldest first. */
  private final Deque<Long> dealEnds = new ArrayDeque<>();

  private Optional<SourceGate> openGate = Optional.empty();
  private Optional<BatchFetcher> fetcher = Optional.empty();
  private Optional<StreamPosition> position = Optional.empty();
  private long nextRound;

  /** The round after the last one that was dealt. */
  private long endRound;

  private boolean hasAllDeals;

  /** The last checkpoint, until Flink polls this reader again. */
  private OptionalLong taken = OptionalLong.empty();

  StreamReader(SourceReaderContext context, StreamConfig config, String attemptId, boolean isIdle) {
    this.context = context;
    this.config = config;
    this.attemptId = attemptId;
    this.isIdle = isIdle;
  }

  @Override
  public void start() {
    // Flink creates the reader before it opens the chain, and starts it when all operators behind
    // it are open.
    SourceGate gate = SourceGate.of(attemptId);
    gate.record(
        (rounds, digest) ->
            context.sendSourceEventToCoordinator(
                new ModelDigest(rounds, HexFormat.of().formatHex(digest))));
    openGate = Optional.of(gate);
    BatchFetcher started = new BatchFetcher(config, context.metricGroup());
    fetcher = Optional.of(started);
    // The loop may end while no batch is available.
    gate.onFinish(started::wakeUp);
    // The next batch may have to wait for the next deal, and Flink does not poll until a batch is
    // available.
    gate.onConsumed(() -> askForDeals(gate));
    if (!isIdle) {
      started.start();
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<Batch> output) {
    SourceGate gate = gate();
    // Flink does not poll after a savepoint that stops the job.
    taken.ifPresent(it -> context.sendSourceEventToCoordinator(new ResumedBehind(it)));
    taken = OptionalLong.empty();
    if (gate.finished()) {
      return InputStatus.END_OF_INPUT;
    }
    Optional<Batch> next = fetcher().peek();
    if (next.isEmpty()) {
      if (isIdle || (hasAllDeals && nextRound == endRound)) {
        gate.exhausted();
      }
      return gate.finished() ? InputStatus.END_OF_INPUT : InputStatus.NOTHING_AVAILABLE;
    }
    if (!gate.tryTake(next.get().epoch())) {
      return InputStatus.NOTHING_AVAILABLE;
    }
    fetcher().take();
    nextRound++;
    output.collect(next.get());
    return InputStatus.MORE_AVAILABLE;
  }

  /** Requests another deal for each deal that the worker has used up. */
  private void askForDeals(SourceGate gate) {
    while (!dealEnds.isEmpty() && dealEnds.getFirst() <= nextRound - gate.outstanding()) {
      dealEnds.removeFirst();
      context.sendSplitRequest();
    }
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    if (taken.isPresent()) {
      return CompletableFuture.completedFuture(null);
    }
    SourceGate gate = gate();
    boolean isExhausted = isIdle || (hasAllDeals && nextRound == endRound);
    if (gate.finished() || isExhausted || fetcher().peek().isPresent()) {
      return gate.available();
    }
    return fetcher().available();
  }

  @Override
  public void addSplits(List<StreamPosition> positions) {
    if (isIdle || positions.size() != 1 || position.isPresent()) {
      throw new IllegalStateException("a reader gets one position, once, and not " + positions);
    }
    position = Optional.of(positions.get(0));
    nextRound = positions.get(0).round();
    endRound = nextRound;
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event instanceof DealtShare share) {
      Deal deal = share.deal();
      dealEnds.addLast(deal.endRound());
      endRound = deal.endRound();
      fetcher().add(deal, position.orElseThrow().round());
    }
  }

  @Override
  public void notifyNoMoreSplits() {
    hasAllDeals = true;
    fetcher().wakeUp();
  }

  @Override
  public List<StreamPosition> snapshotState(long checkpointId) {
    taken = OptionalLong.of(checkpointId);
    fetcher().wakeUp();
    return position.stream().map(it -> it.at(nextRound - gate().outstanding())).toList();
  }

  @Override
  public void close() {
    fetcher.ifPresent(BatchFetcher::close);
  }

  private SourceGate gate() {
    return openGate.orElseThrow(() -> new IllegalStateException("the reader is not started"));
  }

  private BatchFetcher fetcher() {
    return fetcher.orElseThrow(() -> new IllegalStateException("the reader is not started"));
  }
}
