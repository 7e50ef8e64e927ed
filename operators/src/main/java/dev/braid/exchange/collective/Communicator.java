package dev.braid.exchange.collective;

import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import java.util.function.LongSupplier;

/**
 * How the members of a group reach each other in one phase of a round, as MPI's communicators do:
 * an operation that runs beside another, or after it, has a phase of its own, by which their
 * messages are told apart.
 *
 * @param group who takes part
 * @param phase of the round, from 0
 * @param chunkLength elements of a message at most
 * @param round the round under way
 */
public record Communicator(Group group, int phase, int chunkLength, LongSupplier round, Port port) {

  /** The same members in another phase. */
  public Communicator inPhase(int other) {
    return among(group, other);
  }

  /** Other members in another phase of the same rounds. */
  public Communicator among(Group others, int otherPhase) {
    return new Communicator(others, otherPhase, chunkLength, round, port);
  }

  /**
   * Sends a sum that is not complete to the member at a position, and {@linkplain Port#handOver
   * hands} its values over.
   */
  public void handPartial(int position, Range chunk, long samples, Payload values) {
    port.handOver(message(position, new Sum(Sum.Kind.PARTIAL, phase, chunk, samples, values)));
  }

  /** Sends a complete sum to the member at a position, and hands its values over. */
  public void handFinished(int position, Range chunk, long samples, Payload values) {
    port.handOver(message(position, new Sum(Sum.Kind.FINISHED, phase, chunk, samples, values)));
  }

  /** Sends a sum that is not complete, of values that may change before the receiver has them. */
  public void sendPartial(int position, Range chunk, long samples, Payload values) {
    port.send(message(position, new Sum(Sum.Kind.PARTIAL, phase, chunk, samples, values)));
  }

  /** The same with a complete sum. */
  public void sendFinished(int position, Range chunk, long samples, Payload values) {
    port.send(message(position, new Sum(Sum.Kind.FINISHED, phase, chunk, samples, values)));
  }

  private Message message(int position, Sum sum) {
    return new Message(group.rank(), group.member(position), round.getAsLong(), sum);
  }
}
