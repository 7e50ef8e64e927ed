package dev.braid.exchange.collective;

import dev.braid.exchange.Sender;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The ordered ranks that perform a collective operation, and their channel in one phase of a round,
 * like a communicator of MPI. All members use the same order, which is the order of summation.
 * Operations that run concurrently or in sequence have different phases, which distinguish their
 * messages.
 */
public final class Communicator {

  private final int[] members;
  private final int position;
  private final int phase;
  private final int chunkLength;
  private final LongSupplier round;
  private final Sender sender;
  private final boolean isOfAll;

  private Communicator(
      int[] members,
      int position,
      int phase,
      int chunkLength,
      LongSupplier round,
      Sender sender,
      boolean isOfAll) {
    this.members = members;
    this.position = position;
    this.phase = phase;
    this.chunkLength = chunkLength;
    this.round = round;
    this.sender = sender;
    this.isOfAll = isOfAll;
  }

  /**
   * Returns a communicator of all ranks, in ascending order, in phase 0.
   *
   * @param rank this rank
   * @param chunkLength maximum number of elements of a message
   * @param round supplier of the current round
   * @param sender sends the messages
   */
  public static Communicator ofAll(
      int rank, int ranks, int chunkLength, LongSupplier round, Sender sender) {
    int[] all = IntStream.range(0, ranks).toArray();
    return new Communicator(all, rank, 0, chunkLength, round, sender, true);
  }

  /** Returns a communicator of the same members in another phase. */
  public Communicator inPhase(int other) {
    return new Communicator(members, position, other, chunkLength, round, sender, isOfAll);
  }

  /**
   * Returns a communicator of other members, such as a row of a mesh, in another phase of the same
   * rounds.
   *
   * @param others all ranks of the group, in order and distinct; this rank is one of them
   * @throws IllegalArgumentException if a member occurs twice or this rank is not a member
   */
  public Communicator among(int otherPhase, int... others) {
    if (Arrays.stream(others).distinct().count() < others.length) {
      throw new IllegalArgumentException(
          Arrays.toString(others) + ": the ranks of a group must be different");
    }
    int[] copy = others.clone();
    int at =
        IntStream.range(0, copy.length)
            .filter(i -> copy[i] == rank())
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "rank " + rank() + " is not in its group " + Arrays.toString(copy)));
    return new Communicator(copy, at, otherPhase, chunkLength, round, sender, false);
  }

  /** Returns the number of members. */
  public int size() {
    return members.length;
  }

  /** Returns this rank's position among the members, from 0. */
  public int position() {
    return position;
  }

  /** Returns this rank. */
  public int rank() {
    return members[position];
  }

  /** Returns the maximum number of elements of a message. */
  public int chunkLength() {
    return chunkLength;
  }

  /**
   * Sends a partial sum to the member at a position, and {@linkplain Sender#handOver hands over}
   * its values.
   *
   * @param vector the values, at the chunk's indices. They change only after the member has used
   *     them
   */
  public void handPartial(int to, Range chunk, long samples, float[] vector) {
    hand(to, Sum.Kind.PARTIAL, chunk, samples, vector);
  }

  /**
   * Sends a finished sum to the member at a position, and hands over its values.
   *
   * @param vector the values, at the chunk's indices. They change only after the member has used
   *     them
   */
  public void handFinished(int to, Range chunk, long samples, float[] vector) {
    hand(to, Sum.Kind.FINISHED, chunk, samples, vector);
  }

  /**
   * Sends a view of a vector. It is steady if all ranks are members. Ranks of a part may leave a
   * round before its end, and then write to the vector although another member has not used it.
   */
  private void hand(int to, Sum.Kind kind, Range chunk, long samples, float[] vector) {
    Slice values = isOfAll ? Slice.steady(vector, chunk) : Slice.view(vector, chunk);
    sender.handOver(message(to, new Sum(kind, phase, chunk, samples, Payload.of(values))));
  }

  /** Sends a partial sum whose values may change before the receiver has them. */
  public void sendPartial(int to, Range chunk, long samples, Payload values) {
    sender.send(message(to, new Sum(Sum.Kind.PARTIAL, phase, chunk, samples, values)));
  }

  /** Sends a finished sum whose values may change before the receiver has them. */
  public void sendFinished(int to, Range chunk, long samples, Payload values) {
    sender.send(message(to, new Sum(Sum.Kind.FINISHED, phase, chunk, samples, values)));
  }

  private Message message(int to, Sum sum) {
    return new Message(rank(), members[to], round.getAsLong(), sum);
  }
}
