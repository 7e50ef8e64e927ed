package dev.braid.loop.coordinator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongFunction;

/**
 * Checkpoints that wait for the loop to be held, in their order. If rounds are slow, they first
 * wait for a round; then until it is known that their barriers can arrive; and then until the loop
 * is not held for another checkpoint. The question whether barriers can arrive comes last, because
 * the answer is valid only for a moment.
 */
final class CheckpointQueue {

  private final Deque<LoopHold> awaitingRound = new ArrayDeque<>();
  private final Deque<LoopHold> probing = new ArrayDeque<>();
  private final Deque<LoopHold> waiting = new ArrayDeque<>();

  /** Adds a checkpoint that waits for a round, because it would set a round back. */
  void awaitRound(LoopHold hold) {
    awaitingRound.add(hold);
  }

  /**
   * Moves this checkpoint and those before it on: they need not wait for a round any longer.
   * Returns false if there are none.
   */
  boolean probe(long checkpoint) {
    return move(checkpoint, awaitingRound, probing);
  }

  /** Adds a checkpoint that only waits for the loop. */
  void add(LoopHold hold) {
    waiting.add(hold);
  }

  /** Moves this checkpoint and those before it on: their barriers can arrive. */
  void pathsOpen(long checkpoint) {
    var unused = move(checkpoint, probing, waiting);
  }

  /** Moves the checkpoints up to this one. Returns false if there are none. */
  private static boolean move(long checkpoint, Deque<LoopHold> from, Deque<LoopHold> to) {
    boolean isAny = false;
    while (!from.isEmpty() && from.element().checkpoint() <= checkpoint) {
      to.add(from.remove());
      isAny = true;
    }
    return isAny;
  }

  /** Moves all checkpoints on, because their barriers need not pass the loop any more. */
  void stopProbing() {
    waiting.addAll(probing);
    probing.clear();
    waiting.addAll(awaitingRound);
    awaitingRound.clear();
  }

  /** Returns whether no checkpoint waits for the loop. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Removes and returns the first checkpoint that waits for the loop. */
  LoopHold next() {
    return waiting.remove();
  }

  /** Removes a checkpoint. Returns false if it is not in the queue. */
  boolean remove(long checkpoint) {
    return awaitingRound.removeIf(hold -> hold.checkpoint() == checkpoint)
        || probing.removeIf(hold -> hold.checkpoint() == checkpoint)
        || waiting.removeIf(hold -> hold.checkpoint() == checkpoint);
  }

  /** Lets all checkpoints pass that wait for the loop. */
  void passAll(LongFunction<byte[]> state) {
    waiting.forEach(hold -> hold.pass(state.apply(hold.checkpoint())));
    waiting.clear();
  }

  /** Cancels all checkpoints in the queue. */
  void failAll(String reason) {
    stopProbing();
    waiting.forEach(hold -> hold.fail(reason));
    waiting.clear();
  }
}
