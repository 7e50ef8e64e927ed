package dev.braid.api.flow;

import dev.braid.api.sample.Encoder;
import dev.braid.learner.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Records of one subtask that no round has consumed, as batches in order: those that the worker
 * has, those that wait, and the one that is being filled. The queue decides which batch a round
 * gets; the caller decides when to ask, and provides the time.
 *
 * <p>A batch is closed when it is full, or when its first record has waited long enough. All ranks
 * take part in a round. A rank that has no records while others may have some therefore provides an
 * empty batch whenever the maximum waiting time of a record has passed, until all ranks count their
 * rounds.
 *
 * @param <T> type of the records
 */
final class FlowQueue<T> {

  /** Maximum number of waiting batches, unless a checkpoint holds the loop. */
  static final int AHEAD = 4;

  private final Encoder<T> encoder;
  private final FlowConfig config;
  private final int partition;
  private final boolean isAlone;
  private final SampleRows open;
  private final Deque<FlowBatch> taken = new ArrayDeque<>();
  private final Deque<FlowBatch> ready = new ArrayDeque<>();
  private long nextRound;
  private long openedMillis;
  private long givenMillis;
  private boolean isCounted;

  /**
   * Creates a queue.
   *
   * @param isAlone whether there is no other rank
   * @param position position at which it begins
   * @param batches restored batches
   */
  FlowQueue(
      Encoder<T> encoder,
      FlowConfig config,
      boolean isAlone,
      FlowPosition position,
      List<FlowBatch> batches,
      long nowMillis) {
    this.encoder = encoder;
    this.config = config;
    this.partition = position.partition();
    this.isAlone = isAlone;
    this.nextRound = position.round();
    this.open =
        new SampleRows(
            encoder, config.batchSize(), config.holdout(), partition, position.nextRecord());
    this.openedMillis = nowMillis;
    this.givenMillis = nowMillis;
    batches.forEach(batch -> batch.requireShape(encoder));
    ready.addAll(batches);
    reopen(position.nextRecord());
  }

  /**
   * Reopens the last batch, which was being filled, unless the checkpoint was of other subtasks.
   */
  private void reopen(long nextRecord) {
    Optional<FlowBatch> last =
        Optional.ofNullable(ready.peekLast())
            .filter(it -> it.partition() == partition)
            .filter(it -> it.start() + it.records() == nextRecord)
            .filter(it -> it.records() < config.batchSize());
    last.ifPresent(
        batch -> {
          ready.removeLast();
          open.reopen(batch);
        });
  }

  /**
   * Adds a record.
   *
   * @return why the record is not a sample; empty if it is one
   */
  Optional<String> add(T record, long nowMillis) {
    if (open.isEmpty()) {
      openedMillis = nowMillis;
    }
    open.begin();
    open.write(encoder, record);
    Optional<String> reason = open.end();
    if (open.isFull()) {
      close();
    }
    return reason;
  }

  /** Closes the batch that is being filled, if it has records. */
  void close() {
    if (!open.isEmpty()) {
      ready.addLast(open.batch());
      open.clear();
    }
  }

  /** Closes a batch whose first record has waited long enough, as time has passed. */
  void passed(long nowMillis) {
    if (nowMillis - openedMillis >= config.maxWaitMillis()) {
      close();
    }
    boolean isIdle = ready.isEmpty() && taken.isEmpty() && open.isEmpty();
    boolean mayLack = !isAlone && !isCounted;
    if (mayLack && isIdle && nowMillis - givenMillis >= config.maxWaitMillis()) {
      ready.addLast(FlowBatch.empty(partition));
    }
  }

  /** Returns whether the maximum number of batches wait. */
  boolean isFull() {
    return ready.size() >= AHEAD;
  }

  /**
   * Returns the number of rounds for which there are or were batches, when the input of all ranks
   * has ended. Later rounds have empty batches, up to the {@code endRound} of {@link #peek}.
   */
  long countRounds() {
    isCounted = true;
    return nextRound + ready.size();
  }

  /** Returns the number of the window that contains the next batch, from 0. */
  int epoch() {
    return Math.toIntExact(nextRound / config.window());
  }

  /**
   * Returns the next batch, if there is one.
   *
   * @param endRound number of rounds of all ranks, if the input of all has ended
   */
  Optional<FlowBatch> peek(OptionalLong endRound) {
    if (!ready.isEmpty()) {
      return Optional.of(ready.getFirst());
    }
    return endRound.isPresent() && nextRound < endRound.getAsLong()
        ? Optional.of(FlowBatch.empty(partition))
        : Optional.empty();
  }

  /** Hands over the batch that {@link #peek} has returned. */
  Batch take(FlowBatch batch, long nowMillis) {
    ready.pollFirst();
    taken.addLast(batch);
    givenMillis = nowMillis;
    int epoch = epoch();
    nextRound++;
    return batch.toBatch(
        encoder.shape(), epoch, nextRound % config.window() == 0, config.holdout() == 0);
  }

  /** Returns whether there is no batch left, and none will follow. */
  boolean isOver(OptionalLong endRound) {
    return endRound.isPresent() && ready.isEmpty() && nextRound == endRound.getAsLong();
  }

  /** Removes the oldest batch that was taken, as a round has consumed it. */
  void consumed() {
    taken.removeFirst();
  }

  // ---- checkpoints -----------------------------------------------------------------------------

  /** Returns the position of the subtask. */
  FlowPosition position() {
    return new FlowPosition(partition, open.nextRecord(), nextRound - taken.size());
  }

  /** Returns all batches that have records. */
  List<FlowBatch> batches() {
    List<FlowBatch> all = new ArrayList<>(taken);
    all.addAll(ready);
    if (!open.isEmpty()) {
      all.add(open.batch());
    }
    return all.stream().filter(batch -> batch.records() > 0).toList();
  }
}
