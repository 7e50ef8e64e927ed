package dev.braid.loop;

import dev.braid.exchange.Message;

/**
 * What travels around the loop: messages between ranks, and at first one greeting from each worker
 * to the other end of its own feedback edge.
 */
public sealed interface Envelope {

  /** The rank that the envelope is for. */
  int to();

  /**
   * A message of an exchange.
   *
   * @param incarnation the checkpoint after which the sender went on, or 0: messages from before a
   *     roll-back differ in it from those after
   */
  record Letter(long incarnation, Message message) implements Envelope {
    @Override
    public int to() {
      return message.to();
    }
  }

  /**
   * The first element that a worker sends, to itself: it tells the feedback edge which worker it
   * belongs to, and lets it find out whether the two are in the same JVM.
   *
   * @param jvm identifies the JVM of the worker
   * @param host where that is, for people
   */
  record Greeting(int to, LoopKey worker, String jvm, String host) implements Envelope {}
}
