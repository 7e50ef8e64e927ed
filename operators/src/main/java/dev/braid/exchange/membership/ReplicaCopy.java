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
 * A copy of one rank's replica, the model with its updater's state, for a rank that is behind: both
 * sides of it.
 *
 * <p>Where ranks do rounds together the source sends the model itself and keeps no copy: it changes
 * with the next round, which needs the rank that is behind, when it is behind no longer. A source
 * whose model changes meanwhile sends a copy that it has made.
 */
public final class ReplicaCopy {

  private final int rank;
  private final Range vector;
  private final int chunkLength;
  private final Port port;
  private final Transport transport;
  private final IntSupplier vectors;
  private final BitSet here = new BitSet();

  private boolean underWay;
  private int source;
  private long round;
  private int requestedIn;
  private long steps;
  private boolean stepsAreHere;

  /**
   * Both sides of a rank.
   *
   * @param vectors how many of the model's vectors a copy has, the weights first
   */
  public ReplicaCopy(ExchangeConfig config, Port port, Transport transport, IntSupplier vectors) {
    this.rank = config.rank();
    this.vector = Range.ofLength(config.length());
    this.chunkLength = config.chunkLength();
    this.port = port;
    this.transport = transport;
    this.vectors = vectors;
  }

  // ---- the rank that is behind -----------------------------------------------------------------

  /** Asks for a copy of a source's replica after this many rounds. */
  public void request(int from, long ofRound) {
    underWay = true;
    source = from;
    round = ofRound;
    requestAgain();
  }

  private void requestAgain() {
    requestedIn = transport.generation();
    here.clear();
    stepsAreHere = false;
    send(source, round, new Request());
    transport.arm();
  }

  /** Where the transport has begun anew, what was on its way is lost. */
  public void askAgainIfLost() {
    if (underWay && transport.generation() != requestedIn) {
      requestAgain();
    }
  }

  public void cancel() {
    underWay = false;
  }

  /** Takes a part of the copy in; true if it is complete now. */
  public boolean take(ReplicaCopyBody body) {
    if (underWay && body instanceof Steps taken) {
      steps = taken.steps();
      stepsAreHere = true;
    } else if (underWay && body instanceof Part part) {
      port.update(new Update.Replacement(part.vector(), part.range(), part.payload().dense()));
      here.set(part.vector() * chunks() + part.range().start() / chunkLength);
    }
    body.payload().release();
    boolean complete =
        underWay && stepsAreHere && here.cardinality() == vectors.getAsInt() * chunks();
    underWay &= !complete;
    return complete;
  }

  /** How many steps the replica's updater has taken. */
  public long steps() {
    return steps;
  }

  // ---- the source ------------------------------------------------------------------------------

  /** Sends this rank's replica to one that has asked for it. */
  public void serve(Message request) {
    serve(request, port.model());
  }

  /**
   * The same, where the model may change before all of it is sent.
   *
   * @param model a copy of the weights, and of the vectors of the updater's state
   */
  public void serve(Message request, float[][] model) {
    int to = request.origin();
    long after = request.round();
    send(to, after, new Steps(port.views().steps()));
    for (int i = 0; i < vectors.getAsInt(); i++) {
      for (int chunk = 0; chunk < chunks(); chunk++) {
        Range range = vector.chunk(chunk, chunkLength);
        send(to, after, new Part(i, range, Payload.view(model[i], range)));
      }
    }
  }

  // ----------------------------------------------------------------------------------------------

  private int chunks() {
    return vector.chunks(chunkLength);
  }

  private void send(int to, long after, ReplicaCopyBody body) {
    transport.send(new Message(rank, to, after, body));
  }
}
