package dev.braid.exchange;

import dev.braid.exchange.message.Message;

/** Sends messages to other ranks. */
public interface Sender {

  /**
   * Sends a message to another rank. The values are copied before the call returns, unless they are
   * {@linkplain dev.braid.vector.Slice#isSteady() steady}, so they may be a view of an array that
   * changes later. Messages between the same two ranks arrive in order unless the link is faulty.
   */
  void send(Message message);

  /**
   * Sends a message and hands over its values, so that a transport that may have to retransmit them
   * needs no copy. The values are either lent, and released after their last use, or a view of an
   * array that its owner does not write again before the receiver has them.
   */
  default void handOver(Message message) {
    send(message);
    message.release();
  }
}
