package dev.braid.loop.coordinator;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongFunction;
import org.apache.flink.util.FlinkException;

/**
 * Checkpoints that wait for the loop to be held, in their order: first for a round, where rounds
 * are slow, then until it is known that their barriers can arrive, and then until the loop is not
 * held for another. That barriers can arrive is asked last, as it is true of that moment only.
 */
final class CheckpointQueue {

  private final Deque<LoopHold> awaitingRound = new ArrayDeque<>();
  private final Deque<LoopHold> probing = new ArrayDeque<>();
  private final Deque<LoopHold> waiting = new ArrayDeque<>();

  /** One that would set a round back. */
  void awaitRound(LoopHold hold) {
    awaitingRound.add(hold);
  }

  /**
   * This checkpoint need not wait for a round any longer; false if none does, of it or before it.
   */
  boolean probe(long checkpoint) {
    return move(checkpoint, awaitingRound, probing);
  }

  /** One that waits for nothing but the loop. */
  void add(LoopHold hold) {
    waiting.add(hold);
  }

  /** Barriers of this checkpoint, and of those before it, can arrive. */
  void pathsOpen(long checkpoint) {
    var unused = move(checkpoint, probing, waiting);
  }

  /** Moves those up to this checkpoint; false if there are none. */
  private static boolean move(long checkpoint, Deque<LoopHold> from, Deque<LoopHold> to) {
    boolean isAny = false;
    while (!from.isEmpty() && from.element().checkpoint() <= checkpoint) {
      to.add(from.remove());
      isAny = true;
    }
    return isAny;
  }

  /** No barrier of any checkpoint meets the loop any more. */
  void stopProbing() {
    waiting.addAll(probing);
    probing.clear();
    waiting.addAll(awaitingRound);
    awaitingRound.clear();
  }

  /** Whether none waits for the loop. */
  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Takes the first that waits for the loop. */
  LoopHold next() {
    return waiting.remove();
  }

  /** Forgets one; false if it is not here. */
  boolean remove(long checkpoint) {
    return awaitingRound.removeIf(hold -> hold.checkpoint() == checkpoint)
        || probing.removeIf(hold -> hold.checkpoint() == checkpoint)
        || waiting.removeIf(hold -> hold.checkpoint() == checkpoint);
  }

  /** Lets all pass that wait for the loop. */
  void passAll(LongFunction<byte[]> state) {
    waiting.forEach(hold -> hold.pass(state.apply(hold.checkpoint())));
    waiting.clear();
  }

  /** Declines all that are here. */
  void failAll(String reason) {
    stopProbing();
    waiting.forEach(hold -> hold.fail(new FlinkException(reason)));
    waiting.clear();
  }
}
