package dev.braid.loop;

import dev.braid.coding.CodeTree;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Lets a worker hold back the source that is chained in front of it.
 *
 * <p>An operator must never block in {@code processElement}, and an unbounded queue grows without
 * end. The source therefore emits a batch only for a credit, and ends its input only when the loop
 * has finished. Meanwhile its reader answers {@code NOTHING_AVAILABLE}, and checkpoint barriers get
 * through.
 *
 * <p>Reader and worker are chained, so they share a thread and a task attempt. Only the registry
 * needs to be thread-safe, and the id of the attempt identifies the gate. The worker opens the gate
 * in its constructor, before the reader is created, and closes it with its task.
 */
public final class SourceGate implements AutoCloseable {

  private static final Map<String, SourceGate> OPEN = new ConcurrentHashMap<>();

  private final String attemptId;
  private int credits;
  private Optional<CodeTree> codes = Optional.empty();
  private int beforeEpoch = Integer.MAX_VALUE;

  /**
   * Whether the next batch is of an epoch for which the assignment of samples to workers is not
   * known yet.
   */
  private boolean isWithheld;

  private long emitted;
  private long consumed;
  private boolean exhausted;
  private boolean finished;
  private Runnable onExhausted = () -> {};
  private Runnable onFinish = () -> {};
  private Runnable onConsumed = () -> {};
  private Runnable onCredit = () -> {};
  private Runnable onInputEnd = () -> {};
  private LongSupplier onCount = () -> 0;
  private boolean awaitsBarrier;
  private OptionalLong endRound = OptionalLong.empty();
  private Optional<Digests> digests = Optional.empty();
  private CompletableFuture<Void> available = new CompletableFuture<>();

  private SourceGate(String attemptId) {
    this.attemptId = attemptId;
  }

  // ---- the worker's side -------------------------------------------------------------------

  /** Opens the gate of a task attempt. */
  public static SourceGate open(String attemptId) {
    SourceGate gate = new SourceGate(attemptId);
    if (OPEN.putIfAbsent(attemptId, gate) != null) {
      throw new IllegalStateException("task attempt " + attemptId + " already has a gate");
    }
    return gate;
  }

  /** Lets the source emit this many more batches. */
  public void grant(int batches) {
    credits += batches;
    signal();
  }

  /**
   * Limits the source to batches of some epochs, and gives it the assignment of their samples to
   * workers.
   *
   * @param byCodes the tree with its codes, the same at all workers; empty if it is not known yet
   *     for later epochs
   * @param ofEarlierEpochs batches of epochs before this one may be emitted
   */
  public void share(Optional<CodeTree> byCodes, int ofEarlierEpochs) {
    codes = byCodes.or(() -> codes);
    if (beforeEpoch != ofEarlierEpochs) {
      beforeEpoch = ofEarlierEpochs;
      isWithheld = false;
      signal();
    }
  }

  /** Marks the oldest emitted batch as used: the source's position moves beyond it. */
  public void consumed() {
    if (consumed == emitted) {
      throw new IllegalStateException("all " + emitted + " batches are already consumed");
    }
    consumed++;
    onConsumed.run();
  }

  /** Lets the source end its input. */
  public void finish() {
    finished = true;
    signal();
    onFinish.run();
  }

  /**
   * Sets whether all members are held and a barrier is on its way. No batch is used meanwhile, and
   * the barrier comes only after all input in front of it.
   */
  void awaitBarrier(boolean comes) {
    awaitsBarrier = comes;
  }

  /** Sets the action that runs when the input of this rank has ended. */
  void onInputEnd(Runnable action) {
    onInputEnd = action;
  }

  /**
   * Reports that the input of all ranks has ended.
   *
   * @return number of rounds that this rank has, or had, batches for; it adds no others before
   *     {@link #endAfter}
   */
  long countRounds() {
    return onCount.getAsLong();
  }

  /** Reports that all ranks end after this number of rounds. */
  void endAfter(long rounds) {
    endRound = OptionalLong.of(rounds);
    onCredit.run();
  }

  /**
   * Sets the action that runs when the source has emitted all its batches; runs it at once if it
   * has already.
   */
  public void onExhausted(Runnable action) {
    this.onExhausted = action;
    if (exhausted) {
      action.run();
    }
  }

  /** Returns whether the source records digests of the model. */
  public boolean wantsDigests() {
    return digests.isPresent();
  }

  /**
   * Hands the digest of the model to the source.
   *
   * @param rounds number of rounds that the model has completed
   * @param digest SHA-256 of its weights as little-endian float32
   */
  public void digested(long rounds, byte[] digest) {
    digests.ifPresent(it -> it.add(rounds, digest));
  }

  @Override
  public void close() {
    OPEN.remove(attemptId, this);
  }

  // ---- the source's side -------------------------------------------------------------------

  /**
   * Returns the gate of a task attempt.
   *
   * @param attemptId the id of the reader's task attempt
   */
  public static SourceGate of(String attemptId) {
    SourceGate gate = OPEN.get(attemptId);
    if (gate == null) {
      throw new IllegalStateException(
          "task attempt " + attemptId + ": the source must be chained to a worker");
    }
    return gate;
  }

  /**
   * Sets an action that runs when the source may end its input; {@link #available} completes as
   * well.
   */
  public void onFinish(Runnable action) {
    onFinish = action;
  }

  /**
   * Sets an action that runs whenever a batch has been used; {@link #available} does not complete
   * then.
   */
  public void onConsumed(Runnable action) {
    onConsumed = action;
  }

  /** Sets an action that runs when there may be a credit or an end. It must not emit at once. */
  void onCredit(Runnable action) {
    onCredit = action;
  }

  /** Returns whether a barrier is on its way, so that input must be accepted without a credit. */
  boolean awaitsBarrier() {
    return awaitsBarrier;
  }

  /** Reports that the input of this rank has ended. */
  void inputEnds() {
    onInputEnd.run();
  }

  /** Sets the answer to {@link #countRounds}. */
  void onCount(LongSupplier rounds) {
    onCount = rounds;
  }

  /** Returns the number of rounds of all ranks, once the input of all has ended. */
  OptionalLong endRound() {
    return endRound;
  }

  /** Receives digests of the model, in the thread of the task. */
  public interface Digests {

    /**
     * Adds the digest of the model after a number of rounds.
     *
     * @param rounds number of rounds that the model has completed
     * @param digest SHA-256 of its weights as little-endian float32
     */
    void add(long rounds, byte[] digest);
  }

  /** Sets the receiver of the model's digests. */
  public void record(Digests by) {
    digests = Optional.of(by);
  }

  /** Returns the assignment of a round's samples to workers, if the worker has set one. */
  public Optional<CodeTree> codes() {
    return codes;
  }

  /**
   * Takes a credit for one batch, if there is one and batches of the epoch may be emitted.
   *
   * @param epoch the batch's epoch
   * @return whether a credit was taken; the caller then emits the batch
   */
  public boolean tryTake(int epoch) {
    isWithheld = epoch >= beforeEpoch;
    if (credits == 0 || isWithheld) {
      return false;
    }
    credits--;
    emitted++;
    return true;
  }

  /** Returns a future that completes when there may be a credit, or the source may end. */
  public CompletableFuture<Void> available() {
    if (finished || (credits > 0 && !exhausted && !isWithheld)) {
      return CompletableFuture.completedFuture(null);
    }
    if (available.isDone()) {
      available = new CompletableFuture<>();
    }
    return available;
  }

  /** Returns how many emitted batches, the newest ones, have not been used. */
  public int outstanding() {
    return Math.toIntExact(emitted - consumed);
  }

  /** Informs the worker, once, that the source has no batch left. */
  public void exhausted() {
    if (!exhausted) {
      exhausted = true;
      onExhausted.run();
    }
  }

  /** Returns whether the source may end its input. */
  public boolean finished() {
    return finished;
  }

  private void signal() {
    available.complete(null);
    onCredit.run();
  }
}
