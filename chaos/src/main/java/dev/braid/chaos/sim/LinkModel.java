package dev.braid.chaos.sim;

import dev.braid.exchange.Message;
import java.util.function.LongConsumer;

/**
 * What the network does to messages: the one place that decides when, whether and how often a
 * message arrives.
 *
 * <p>A link is an ordered pair of ranks. A model keeps its own state (queues, random sources), is
 * asked in the order of sending, and belongs to one simulation.
 */
@FunctionalInterface
public interface LinkModel {

  /** Links on which nothing takes any time: for a network whose {@code LinkShape} says all. */
  LinkModel INSTANT = (message, bytes, nowNanos, arriveAt) -> arriveAt.accept(nowNanos);

  /**
   * Carries a message.
   *
   * @param message what is sent
   * @param bytes its size on the wire
   * @param nowNanos when it is sent
   * @param arriveAt to be told the time of each arrival, not before {@code nowNanos}: one on a
   *     sound link, none where the message is lost, several where it is duplicated
   */
  void carry(Message message, long bytes, long nowNanos, LongConsumer arriveAt);
}
