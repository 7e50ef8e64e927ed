package dev.braid.exchange.membership;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Message.Kind;
import dev.braid.exchange.transport.Transport;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.BitSet;

/**
 * A copy of one rank's replica, the model with its updater's state, for a rank that is behind: both
 * sides of it.
 *
 * <p>The source sends the model itself and keeps no copy: it changes with the next round, which
 * needs the rank that is behind, when it is behind no longer.
 */
public final class ReplicaCopy {

  private final int rank;
  private final Range vector;
  private final int chunkLength;
  private final Port port;
  private final Transport transport;
  private final BitSet here = new BitSet();

  private boolean underWay;
  private int source;
  private long round;
  private int requestedIn;
  private long steps;
  private boolean stepsAreHere;

  public ReplicaCopy(ExchangeConfig config, Port port, Transport transport) {
    this.rank = config.rank();
    this.vector = Range.ofLength(config.length());
    this.chunkLength = config.chunkLength();
    this.port = port;
    this.transport = transport;
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
    send(source, Kind.COPY_REQUEST, round, Range.EMPTY, 0, Slice.EMPTY);
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
  public boolean take(Message message) {
    if (underWay && message.kind() == Kind.COPY_STEPS) {
      steps = message.samples();
      stepsAreHere = true;
    } else if (underWay) {
      int index = Math.toIntExact(message.samples());
      port.update(new Update.Replacement(index, message.range(), message.values()));
      here.set(index * chunks() + message.range().start() / chunkLength);
    }
    message.values().release();
    boolean complete =
        underWay && stepsAreHere && here.cardinality() == port.model().length * chunks();
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
    int to = request.origin();
    long after = request.round();
    send(to, Kind.COPY_STEPS, after, Range.EMPTY, port.views().steps(), Slice.EMPTY);
    float[][] model = port.model();
    for (int i = 0; i < model.length; i++) {
      for (int chunk = 0; chunk < chunks(); chunk++) {
        Range range = vector.chunk(chunk, chunkLength);
        send(to, Kind.COPY, after, range, i, Slice.view(model[i], range));
      }
    }
  }

  // ----------------------------------------------------------------------------------------------

  private int chunks() {
    return vector.chunks(chunkLength);
  }

  private void send(int to, Kind kind, long after, Range range, long about, Slice values) {
    transport.send(new Message(rank, to, kind, after, range, about, values));
  }
}
