package dev.braid.loop.envelope;

import dev.braid.exchange.message.Message;

/**
 * An element that travels around the loop: messages between ranks; one greeting from each worker to
 * the other end of its own feedback edge; probes of paths before a checkpoint; notices that rounds
 * begin, and that a round has been seen; and notices of the links to a worker.
 */
public sealed interface Envelope {

  /** Returns the rank that the envelope is for. */
  int to();

  /**
   * A message of an exchange.
   *
   * @param incarnation the checkpoint after which the sender last resumed, or 0; it distinguishes
   *     messages sent before a roll-back from those sent after it
   */
  record Letter(long incarnation, Message message) implements Envelope {
    @Override
    public int to() {
      return message.to();
    }
  }

  /**
   * The first element that a worker sends, to itself. It identifies the worker's feedback edge, and
   * tells whether both are in the same JVM.
   *
   * @param edge number of the edge
   * @param jvm identifies the JVM of the worker
   * @param host location of that JVM, for people
   */
  record Greeting(int to, long edge, String jvm, String host) implements Envelope {}

  /**
   * A probe that shows that the path from one rank to another is open.
   *
   * @param checkpoint the checkpoint that the probe is for
   */
  record PathProbe(int from, int to, long checkpoint) implements Envelope {}

  /**
   * A notice that some rank is about to send its first message since it began or was restored:
   * rounds continue. It goes to every rank, so that all their links use the same moment.
   */
  record RoundsBegin(int to) implements Envelope {}

  /**
   * A notice that a rank's links have seen a message of a round in which an event is due. The links
   * send it to their worker, and the worker to the links of all others: an event that is due
   * everywhere might otherwise keep a message of that round from the others for as long as it
   * lasts.
   */
  record RoundSeen(int to, long round) implements Envelope {}

  /**
   * A request of a rank's links to compute slower than possible.
   *
   * @param slowdown factor of the computing time; 1 for full speed
   */
  record Pace(int to, double slowdown) implements Envelope {}

  /** The remains of a letter whose checksum is wrong: none of its content is reliable. */
  record Damaged() implements Envelope {
    @Override
    public int to() {
      throw new IllegalStateException("the receiver of a damaged letter is unknown");
    }
  }
}
