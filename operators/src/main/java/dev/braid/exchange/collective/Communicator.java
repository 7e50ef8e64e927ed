package dev.braid.exchange.collective;

import dev.braid.exchange.Sender;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.function.LongSupplier;

/**
 * The channel between the members of a group in one phase of a round, like a communicator of MPI.
 * Operations that run concurrently or in sequence have different phases, which distinguish their
 * messages.
 *
 * @param group the members
 * @param phase phase of the round, from 0
 * @param chunkLength maximum number of elements of a message
 * @param round supplier of the current round
 * @param sender sends the messages
 */
public record Communicator(
    Group group, int phase, int chunkLength, LongSupplier round, Sender sender) {

  /** Returns a communicator of the same members in another phase. */
  public Communicator inPhase(int other) {
    return among(group, other);
  }

  /** Returns a communicator of other members in another phase of the same rounds. */
  public Communicator among(Group others, int otherPhase) {
    return new Communicator(others, otherPhase, chunkLength, round, sender);
  }

  /**
   * Sends a partial sum to the member at a position, and {@linkplain Sender#handOver hands over}
   * its values.
   */
  public void handPartial(int position, Range chunk, long samples, Payload values) {
    sender.handOver(message(position, new Sum(Sum.Kind.PARTIAL, phase, chunk, samples, values)));
  }

  /** Sends a finished sum to the member at a position, and hands over its values. */
  public void handFinished(int position, Range chunk, long samples, Payload values) {
    sender.handOver(message(position, new Sum(Sum.Kind.FINISHED, phase, chunk, samples, values)));
  }

  /** Sends a partial sum whose values may change before the receiver has them. */
  public void sendPartial(int position, Range chunk, long samples, Payload values) {
    sender.send(message(position, new Sum(Sum.Kind.PARTIAL, phase, chunk, samples, values)));
  }

  /** Sends a finished sum whose values may change before the receiver has them. */
  public void sendFinished(int position, Range chunk, long samples, Payload values) {
    sender.send(message(position, new Sum(Sum.Kind.FINISHED, phase, chunk, samples, values)));
  }

  private Message message(int position, Sum sum) {
    return new Message(group.rank(), group.member(position), round.getAsLong(), sum);
  }
}
