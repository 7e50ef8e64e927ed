package dev.braid.exchange.membership;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.ReplicaCopyBody;
import dev.braid.exchange.message.ReplicaCopyBody.Part;
import dev.braid.exchange.message.ReplicaCopyBody.Request;
import dev.braid.exchange.message.ReplicaCopyBody.Steps;
import dev.braid.exchange.transport.Transport;
import dev.braid.vector.Range;
import java.util.BitSet;
import java.util.function.IntSupplier;

/**
 * Transfer of one rank's replica, that is, its model and updater's state, to a rank that is behind.
 * This class is both the receiving and the sending side.
 *
 * <p>In a synchronous exchange the source sends the model itself and makes no copy. The model
 * changes only with the next round, which needs the rank that is behind, and by then that rank has
 * caught up. A source whose model changes meanwhile sends a copy that it has made.
 */
public final class ReplicaCopy {

  private final int rank;
  private final Range vector;
  private final int chunkLength;
  private final Port port;
  private final Transport transport;
  private final IntSupplier vectors;
  private final BitSet here = new BitSet();

  /** Number of the copy whose parts have arrived; 0 if the source sends its replica itself. */
  private long copy;

  private boolean underWay;
  private int source;
  private long round;
  private int requestedIn;
  private long steps;
  private boolean stepsAreHere;

  /**
   * Creates both sides of the transfer for a rank.
   *
   * @param vectors supplies the number of the model's vectors in a copy, including the weights,
   *     which are the first vector
   */
  ReplicaCopy(ExchangeConfig config, Port port, Transport transport, IntSupplier vectors) {
    this.rank = config.rank();
    this.vector = Range.ofLength(config.length());
    this.chunkLength = config.chunkLength();
    this.port = port;
    this.transport = transport;
    this.vectors = vectors;
  }

  // ---- the rank that is behind -----------------------------------------------------------------

  /**
   * Asks a source for a copy of its replica. If the source makes copies, and parts of one have
   * arrived, asks for the rest; messages must then be delivered in order.
   *
   * @param ofRound number of rounds after which the replica is needed
   */
  public void request(int from, long ofRound) {
    underWay = true;
    source = from;
    round = ofRound;
    request();
  }

  private void request() {
    if (copy == 0) {
      // The source may have changed its replica since the parts arrived.
      here.clear();
    }
    requestedIn = transport.generation();
    stepsAreHere = false;
    send(source, round, new Request(copy, here.cardinality()));
    transport.arm();
  }

  /**
   * Asks again if the transport has begun a new generation, because messages in flight are lost
   * then.
   */
  void askAgainIfLost() {
    if (underWay && transport.generation() != requestedIn) {
      request();
    }
  }

  void cancel() {
    underWay = false;
  }

  /**
   * Applies a part of the copy and releases it; returns true if the copy is complete now.
   *
   * @throws IllegalArgumentException if the part is not a chunk of one of the copy's vectors
   */
  public boolean take(ReplicaCopyBody body) {
    if (underWay && body instanceof Steps taken) {
      takeSteps(taken);
    } else if (underWay && body instanceof Part part) {
      int index = index(part);
      port.update(new Update.Replacement(part.vector(), part.range(), part.payload().dense()));
      here.set(index);
    }
    body.payload().release();
    boolean complete =
        underWay && stepsAreHere && here.cardinality() == vectors.getAsInt() * chunks();
    if (complete) {
      underWay = false;
      // From now on the replica differs from the one that was copied.
      copy = 0;
      here.clear();
    }
    return complete;
  }

  private void takeSteps(Steps taken) {
    if (taken.copy() != copy) {
      copy = taken.copy();
      here.clear();
    }
    steps = taken.steps();
    stepsAreHere = true;
  }

  /** Returns the index of a part among all parts of a copy. */
  private int index(Part part) {
    int chunk = part.range().start() / chunkLength;
    boolean isOne =
        part.vector() < vectors.getAsInt()
            && chunk < chunks()
            && part.range().equals(vector.chunk(chunk, chunkLength));
    if (!isOne) {
      throw new IllegalArgumentException(
          "part of vector %d over %s: must be a chunk of %d elements of one of %d vectors over %s"
              .formatted(part.vector(), part.range(), chunkLength, vectors.getAsInt(), vector));
    }
    return part.vector() * chunks() + chunk;
  }

  /** Returns the number of steps that the copied replica's updater has taken. */
  long steps() {
    return steps;
  }

  // ---- the source ------------------------------------------------------------------------------

  /** Sends this rank's replica to the rank that has asked for it. */
  void serve(Message request) {
    sendTo(request, new Snapshot(0, port.model(), port.views().steps()), vectors.getAsInt(), 0);
  }

  /**
   * A copy of a replica, for a source whose replica may change before all of it is sent.
   *
   * @param number number that distinguishes the copy from others; positive
   * @param vectors copies of the weights and of the vectors of the updater's state
   * @param steps number of steps that the updater had taken
   */
  public record Snapshot(long number, float[][] vectors, long steps) {}

  /**
   * Sends a copy to a rank that has asked for one, or the rest of the copy if the rank has its
   * first parts.
   *
   * @return the number of parts that are sent
   * @throws IllegalArgumentException if the rank claims to have more parts than there are
   */
  public int serve(Message message, Snapshot snapshot) {
    Request request = (Request) message.body();
    int all = snapshot.vectors().length * chunks();
    int known = request.copy() == snapshot.number() ? request.parts() : 0;
    if (known > all) {
      throw new IllegalArgumentException(
          "rank %d reports %d parts of copy %d: must be at most %d"
              .formatted(message.origin(), known, snapshot.number(), all));
    }
    sendTo(message, snapshot, snapshot.vectors().length, known);
    return all - known;
  }

  private void sendTo(Message request, Snapshot replica, int vectorsSent, int known) {
    int to = request.origin();
    long after = request.round();
    send(to, after, new Steps(replica.steps(), replica.number()));
    for (int part = known; part < vectorsSent * chunks(); part++) {
      Range range = vector.chunk(part % chunks(), chunkLength);
      int i = part / chunks();
      send(to, after, new Part(i, range, Payload.view(replica.vectors()[i], range)));
    }
  }

  // ----------------------------------------------------------------------------------------------

  private int chunks() {
    return vector.chunks(chunkLength);
  }

  private void send(int to, long after, ReplicaCopyBody body) {
    transport.handOver(new Message(rank, to, after, body));
  }
}
