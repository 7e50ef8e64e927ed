package dev.braid.loop;

import dev.braid.coding.CodeTree;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * How a worker holds back the source that is chained in front of it.
 *
 * <p>An operator must never block in {@code processElement}, and a queue that nobody bounds grows
 * without end. So the source emits a batch only against a credit, and ends its input only when the
 * loop has finished: its reader answers {@code NOTHING_AVAILABLE} meanwhile, and checkpoint
 * barriers get through.
 *
 * <p>Reader and worker are chained, so they share a thread and a task attempt: no method but the
 * registry needs a lock, and the id of the attempt finds the gate. The worker opens the gate in its
 * constructor, before the reader is created, and closes it with its task.
 */
public final class SourceGate implements AutoCloseable {

  private static final Map<String, SourceGate> OPEN = new ConcurrentHashMap<>();

  private final String attemptId;
  private int credits;
  private Optional<CodeTree> codes = Optional.empty();
  private int beforeEpoch = Integer.MAX_VALUE;

  /** Whether the next batch is of an epoch for which nobody knows yet who computes what. */
  private boolean isWithheld;

  private long emitted;
  private long consumed;
  private boolean exhausted;
  private boolean finished;
  private Runnable onExhausted = () -> {};
  private Runnable onFinish = () -> {};
  private Runnable onConsumed = () -> {};
  private Runnable onCredit = () -> {};
  private LongConsumer onInputEnd = rounds -> {};
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
      throw new IllegalStateException("task attempt " + attemptId + " has a gate already");
    }
    return gate;
  }

  /** Lets the source emit this many batches more. */
  public void grant(int batches) {
    credits += batches;
    signal();
  }

  /**
   * Lets the source emit batches of some epochs only, and says who computes which samples of them.
   *
   * @param byCodes the same at all workers; empty where nobody knows yet for later epochs
   * @param ofEarlierEpochs of those before this one
   */
  public void share(Optional<CodeTree> byCodes, int ofEarlierEpochs) {
    codes = byCodes.or(() -> codes);
    if (beforeEpoch != ofEarlierEpochs) {
      beforeEpoch = ofEarlierEpochs;
      isWithheld = false;
      signal();
    }
  }

  /** The oldest batch that was emitted is used up: the source's position moves beyond it. */
  public void consumed() {
    if (consumed == emitted) {
      throw new IllegalStateException("all " + emitted + " batches are consumed already");
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
   * Says whether all members are held and a barrier is on its way. Nothing is used up meanwhile,
   * and the barrier comes only behind all input that is in front of it.
   */
  void awaitBarrier(boolean comes) {
    awaitsBarrier = comes;
  }

  /** Takes the number of rounds that this rank has input for, when its input has ended. */
  void onInputEnd(LongConsumer action) {
    onInputEnd = action;
  }

  /** The input of all ranks has ended, and the longest is enough for so many rounds. */
  void endAfter(long rounds) {
    endRound = OptionalLong.of(rounds);
    onCredit.run();
  }

  /** Called when the source has emitted all that it has: at once, if it has by now. */
  public void onExhausted(Runnable action) {
    this.onExhausted = action;
    if (exhausted) {
      action.run();
    }
  }

  /** Whether the source records digests of the model. */
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
   * The gate of a task attempt.
   *
   * @param attemptId the id of the reader's task attempt
   */
  public static SourceGate of(String attemptId) {
    SourceGate gate = OPEN.get(attemptId);
    if (gate == null) {
      throw new IllegalStateException(
          "task attempt " + attemptId + " has no worker behind its source: they must be chained");
    }
    return gate;
  }

  /** Has this called when the source may end its input, besides completing {@link #available}. */
  public void onFinish(Runnable action) {
    onFinish = action;
  }

  /** Has this called whenever a batch is used up: {@link #available} does not complete then. */
  public void onConsumed(Runnable action) {
    onConsumed = action;
  }

  /** Has this called when there may be a credit, or an end. It must not emit at once. */
  void onCredit(Runnable action) {
    onCredit = action;
  }

  /** Whether a barrier is on its way, so that input has to be taken without a credit. */
  boolean awaitsBarrier() {
    return awaitsBarrier;
  }

  /** Tells that the input of this rank has ended, which is enough for so many rounds. */
  void inputEnds(long rounds) {
    onInputEnd.accept(rounds);
  }

  /** Returns the number of rounds of all ranks, once the input of all has ended. */
  OptionalLong endRound() {
    return endRound;
  }

  /** Takes digests of the model, in the thread of the task. */
  public interface Digests {

    /**
     * Takes the digest that the model has after some rounds.
     *
     * @param rounds number of rounds that the model has completed
     * @param digest SHA-256 of its weights as little-endian float32
     */
    void add(long rounds, byte[] digest);
  }

  /** Has digests of the model recorded by this. */
  public void record(Digests by) {
    digests = Optional.of(by);
  }

  /** Who computes which samples of a round, where the worker has said so. */
  public Optional<CodeTree> codes() {
    return codes;
  }

  /**
   * Takes a credit for one batch, if there is one; the caller then emits a batch.
   *
   * @param epoch the batch's
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

  /** Completes when there may be a credit, or the source may end. */
  public CompletableFuture<Void> available() {
    if (finished || (credits > 0 && !exhausted && !isWithheld)) {
      return CompletableFuture.completedFuture(null);
    }
    if (available.isDone()) {
      available = new CompletableFuture<>();
    }
    return available;
  }

  /** How many of the newest batches that were emitted are not used up. */
  public int outstanding() {
    return Math.toIntExact(emitted - consumed);
  }

  /** Tells the worker, once, that the source has no batch left. */
  public void exhausted() {
    if (!exhausted) {
      exhausted = true;
      onExhausted.run();
    }
  }

  /** Whether the source may end its input. */
  public boolean finished() {
    return finished;
  }

  private void signal() {
    available.complete(null);
    onCredit.run();
  }
}
