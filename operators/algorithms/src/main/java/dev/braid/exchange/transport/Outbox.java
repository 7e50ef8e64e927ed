package dev.braid.exchange.transport;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.Port;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Transit;
import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Sends parts of a vector to other ranks, chunk by chunk, and limits the messages in flight on each
 * link and to all peers together ({@link Flight}). Each arrival is reported to the outbox, and
 * whatever exceeds the limit waits here. So a stuck link fills neither the network's buffers nor
 * the memory. It keeps {@link #isSent} false, so that its rank computes no further gradients.
 *
 * <p>Each peer has at most one part at a time. Parts given to {@link #post} that wait at the same
 * time have the same range and values, or disjoint ranges; callers ensure this. So one copy holds
 * all of them, for any n. Parts given to {@link #postKept} stay in their callers' vectors.
 */
public final class Outbox {

  /** Creates the body of each chunk of a part. */
  @FunctionalInterface
  public interface Content {
    Body of(Range chunk, long samples, Payload values);
  }

  /** A range for one or more peers. The values are at the indices of the vector. */
  private static final class Part {
    final Content content;
    final long round;
    final Range range;
    final long samples;
    float[] values;

    Part(Content content, long round, Range range, long samples, float[] values) {
      this.content = content;
      this.round = round;
      this.range = range;
      this.samples = samples;
      this.values = values;
    }
  }

  /**
   * The unsent rest of a part.
   *
   * @param values at the indices of the vector; valid until the next part is posted
   */
  public record Unsent(Range range, long samples, float[] values) {
    private static final Unsent NOTHING = new Unsent(Range.EMPTY, 0, new float[0]);
  }

  private final ExchangeConfig config;
  private final Port port;
  private final Content content;

  /**
   * For each peer, the part that is not completely sent, or null. {@link #chunksSent} counts its
   * chunks that are sent.
   */
  private final Part[] parts;

  private final int[] chunksSent;
  private final Flight[] flights;

  /** For each peer, whether no part is sent to it. */
  private final boolean[] absent;

  /**
   * Copy of the values that wait, at the indices of the vector; allocated when something first has
   * to wait.
   */
  private float[] kept = {};

  private int unsent;
  private int unacknowledged;

  /**
   * Bytes of values in flight to all peers. Below {@link #mostBytes}, a peer may have more messages
   * in flight than {@link Flight#LEAST}.
   */
  private long bytesUnderWay;

  private final long mostBytes;
  private long bytesArrived;

  /**
   * Creates an empty outbox.
   *
   * @param content creates the bodies of the parts
   */
  public Outbox(ExchangeConfig config, Port port, Content content) {
    this.config = config;
    this.port = port;
    this.content = content;
    this.parts = new Part[config.ranks()];
    this.chunksSent = new int[config.ranks()];
    this.flights = Stream.generate(Flight::new).limit(config.ranks()).toArray(Flight[]::new);
    this.mostBytes = Flight.mostBytes(config);
    this.absent = new boolean[config.ranks()];
  }

  /** Returns whether everything posted has been sent. */
  public boolean isSent() {
    return unsent == 0;
  }

  /** Returns whether everything posted has been sent and has arrived. */
  public boolean isAcknowledged() {
    return unsent == 0 && unacknowledged == 0;
  }

  /**
   * Marks a peer as absent. The rest of its part is not sent, nor is any further part until it is
   * back, even if the peer is chosen; only {@link #tell} still sends. Messages in flight to it stay
   * so until they have arrived.
   *
   * @return the rest of the part that was not sent
   */
  public Unsent markAbsent(int peer) {
    absent[peer] = true;
    Part part = parts[peer];
    if (part == null) {
      return Unsent.NOTHING;
    }
    parts[peer] = null;
    unsent--;
    if (part.range.isEmpty()) {
      return Unsent.NOTHING;
    }
    int start = part.range.chunk(chunksSent[peer], config.chunkLength()).start();
    return new Unsent(new Range(start, part.range.end()), part.samples, part.values);
  }

  public void back(int peer) {
    absent[peer] = false;
  }

  public boolean isAbsent(int peer) {
    return absent[peer];
  }

  /** Returns whether any message to a peer is not acknowledged yet. */
  public boolean isUnderWay(int peer) {
    return flights[peer].underWay() > 0;
  }

  /** Returns whether one more waiting message may be sent to a peer. */
  public boolean hasRoom(int peer) {
    return flights[peer].hasRoom(bytesUnderWay < mostBytes);
  }

  /** Sends peers a round for which there is nothing else to send. */
  public void postRound(boolean[] chosen, long round) {
    send(chosen, new Part(content, round, Range.EMPTY, 0, kept));
  }

  /**
   * Sends a range of a vector as {@link #post} does, but in bodies of another content, and does not
   * copy what waits. The vector must not change until {@link #isSent}.
   */
  public void postKept(
      Content other, boolean[] chosen, long round, Range range, long samples, float[] vector) {
    send(chosen, new Part(other, round, range, samples, vector));
  }

  /**
   * Sends a range of a vector to all peers for which {@code chosen} is true, as far as their
   * windows allow, and keeps a copy of the rest. An empty range, or one over no samples, is sent as
   * a message without values, which carries the round.
   */
  public void post(boolean[] chosen, long round, Range range, long samples, float[] vector) {
    Part part = new Part(content, round, samples == 0 ? Range.EMPTY : range, samples, vector);
    if (send(chosen, part)) {
      keep(part);
    }
  }

  /** Sends a part as far as there is room. Returns whether any of it waits. */
  private boolean send(boolean[] chosen, Part part) {
    boolean waits = false;
    for (int i = 1; i <= chosen.length; i++) {
      // Each rank begins with its next rank: otherwise all would send to the same rank at once. The
      // rank itself comes last, where it serves.
      int peer = (config.rank() + i) % chosen.length;
      if (chosen[peer] && !absent[peer]) {
        if (parts[peer] != null) {
          throw new IllegalStateException(
              "part of round "
                  + part.round
                  + " for rank "
                  + peer
                  + ": the part before it has not been sent");
        }
        parts[peer] = part;
        chunksSent[peer] = 0;
        unsent++;
        sendOn(peer);
        waits |= parts[peer] != null;
      }
    }
    return waits;
  }

  /** Sends a peer this rank's round at once. */
  public void tellRound(int peer, long round) {
    tell(peer, round, content.of(Range.EMPTY, 0, Payload.none()));
  }

  /**
   * Sends a peer a message ahead of what waits for it, and regardless of its window. The peer
   * acknowledges it at once.
   */
  public void tell(int peer, long round, Body body) {
    send(peer, round, body, Transit.LAST);
  }

  private void send(int peer, long round, Body body, Transit transit) {
    flights[peer].sent(port.nowNanos());
    unacknowledged++;
    bytesUnderWay += Payload.Dense.bytesOf(body.payload().length());
    port.send(new Message(config.rank(), peer, round, transit, body));
  }

  /**
   * Returns the bytes of values that have arrived, counted as float32 regardless of their form on
   * the wire. So a rate derived from them refers to a vector's bytes.
   */
  public long bytesArrived() {
    return bytesArrived;
  }

  /** Returns how many vectors the outbox holds: 1, or 0 if nothing ever had to wait. */
  public int vectors() {
    return kept.length == 0 ? 0 : 1;
  }

  /** Notes that a message from this outbox has arrived at its receiver, and sends what waits. */
  public void arrived(Message message) {
    int peer = message.to();
    if (flights[peer].underWay() == 0) {
      throw new IllegalStateException(
          "a message has arrived at rank " + peer + ", but none is in flight to it");
    }
    flights[peer].arrived(port.nowNanos());
    unacknowledged--;
    long bytes = Payload.Dense.bytesOf(message.payload().length());
    bytesUnderWay -= bytes;
    bytesArrived += bytes;
    if (parts[peer] != null) {
      sendOn(peer);
    }
  }

  private void keep(Part part) {
    if (kept.length == 0) {
      kept = new float[config.length()];
    }
    Range range = part.range;
    System.arraycopy(part.values, range.start(), kept, range.start(), range.length());
    part.values = kept;
  }

  private void sendOn(int peer) {
    Part part = parts[peer];
    // A part without elements is one message, too.
    int chunks = Math.max(1, part.range.chunks(config.chunkLength()));
    while (chunksSent[peer] < chunks && hasRoom(peer)) {
      Range chunk =
          part.range.isEmpty()
              ? part.range
              : part.range.chunk(chunksSent[peer], config.chunkLength());
      Payload values = chunk.isEmpty() ? Payload.none() : Payload.view(part.values, chunk);
      chunksSent[peer]++;
      Body body = part.content.of(chunk, part.samples, values);
      send(peer, part.round, body, chunksSent[peer] == chunks ? Transit.LAST : Transit.NONE);
    }
    if (chunksSent[peer] == chunks) {
      parts[peer] = null;
      unsent--;
    }
  }

  @Override
  public String toString() {
    int[] underWay = Arrays.stream(flights).mapToInt(Flight::underWay).toArray();
    return unsent + " parts to be sent, messages in flight " + Arrays.toString(underWay);
  }
}
