package dev.braid.loop.envelope;

import dev.braid.exchange.message.Message;

/**
 * What travels around the loop: messages between ranks; at first one greeting from each worker to
 * the other end of its own feedback edge; probes of paths before a checkpoint; that rounds begin,
 * and which have been seen; and what the links have to tell a worker.
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

  /**
   * Shows that the path from one rank to another is open.
   *
   * @param checkpoint which wants to know
   */
  record PathProbe(int from, int to, long checkpoint) implements Envelope {}

  /**
   * Some rank is about to send its first message since it began or was restored: rounds go on. To
   * every rank, so that all of their links know of the same moment.
   */
  record RoundsBegin(int to) implements Envelope {}

  /**
   * A rank's links have seen a message of a round in which something is to happen. First from them
   * to their worker, and then from it to the links of all others: what is to happen everywhere may
   * keep a message of that round from the others for as long as it lasts.
   */
  record RoundSeen(int to, long round) implements Envelope {}

  /**
   * From a rank's links: it shall compute slower than it could.
   *
   * @param slowdown how many times; 1 for as fast as it can
   */
  record Pace(int to, double slowdown) implements Envelope {}

  /** What is left of a letter whose checksum does not fit: nothing in it can be believed. */
  record Damaged() implements Envelope {
    @Override
    public int to() {
      throw new IllegalStateException("a damaged letter does not tell whom it is for");
    }
  }
}
