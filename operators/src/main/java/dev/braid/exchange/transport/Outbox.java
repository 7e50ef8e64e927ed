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
 * Sends parts of a vector to other ranks, chunk by chunk, and bounds what is under way on each
 * link: it is told of each message that has arrived, and what goes beyond the window waits here. So
 * a link that is stuck fills neither the network's buffers nor the memory: it keeps {@link #isSent}
 * from coming true, and its rank from computing more.
 *
 * <p>One part for each peer at a time. The parts of one {@linkplain #post posting} that are for
 * different peers are the same range, or disjoint ones: so one vector has room for all that waits,
 * whatever n is.
 */
public final class Outbox {

  /**
   * Messages that may always be under way on a link: they keep it busy where answers come soon, and
   * the queue in front of the next gradient short. All four together take no more than one of the
   * ten network buffers that Flink queues on a channel before it blocks the task; messages that are
   * {@value ExchangeConfig#SPARSE_CHUNKS} times as long, as they are mostly 0, eight at most. Where
   * these hold others up, and answers come soon enough, there may be more ({@link Flight}), of all
   * peers {@value Window#CHUNKS} chunks.
   */
  public static final int WINDOW_MESSAGES = Flight.LEAST;

  /** What a part says, chunk by chunk. */
  @FunctionalInterface
  public interface Content {
    Body of(Range chunk, long samples, Payload values);
  }

  /** A range for one or more peers. The values have the indices of the vector. */
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
   * What was not sent of a part.
   *
   * @param values with the indices of the vector; good until something else is posted
   */
  public record Unsent(Range range, long samples, float[] values) {
    private static final Unsent NOTHING = new Unsent(Range.EMPTY, 0, new float[0]);
  }

  private final ExchangeConfig config;
  private final Port port;
  private final Content content;

  /** Per peer: the part that is not wholly sent, or null; and how many chunks of it are. */
  private final Part[] parts;

  private final int[] chunksSent;
  private final Flight[] flights;

  /** Per peer: whether nothing is to be sent to it. */
  private final boolean[] absent;

  /** What waits, copied from where it was posted; made when something has to wait. */
  private float[] kept = {};

  private int unsent;
  private int unacknowledged;

  /** Of all peers; and how many may be where one has more under way than it always may. */
  private long bytesUnderWay;

  private final long mostBytes;
  private long bytesArrived;

  /**
   * An empty one.
   *
   * @param content what the parts say
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

  /** Whether all that was posted has been sent. */
  public boolean isSent() {
    return unsent == 0;
  }

  /** Whether all that was posted has arrived. */
  public boolean isAcknowledged() {
    return unsent == 0 && unacknowledged == 0;
  }

  /**
   * A peer is absent: what waits for it is not sent, and no part is until it is back, whoever is
   * chosen; only {@link #tell} still sends. What is under way to it stays so until it has arrived.
   */
  public Unsent absent(int peer) {
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

  /** Whether something was sent to a peer of which it is not known that it has arrived. */
  public boolean isUnderWay(int peer) {
    return flights[peer].underWay() > 0;
  }

  /** Whether one more message, which waits, may be sent to a peer. */
  public boolean hasRoom(int peer) {
    return flights[peer].hasRoom(bytesUnderWay < mostBytes);
  }

  /** Tells peers a round for which there is nothing else to be sent. */
  public void tellRound(boolean[] chosen, long round) {
    postKept(chosen, round, Range.EMPTY, 0, kept);
  }

  /**
   * Sends a range of a vector as {@link #post} does, but without a copy of what waits: the vector
   * does not change until all {@linkplain #isSent is sent}.
   */
  public void postKept(boolean[] chosen, long round, Range range, long samples, float[] vector) {
    postKept(content, chosen, round, range, samples, vector);
  }

  /** The same with messages that say something else. */
  public void postKept(
      Content other, boolean[] chosen, long round, Range range, long samples, float[] vector) {
    send(chosen, new Part(other, round, range, samples, vector));
  }

  /**
   * Sends a range of a vector to all peers for which {@code chosen} is true, as far as their
   * windows allow, and keeps a copy of what does not go yet. A range of no elements, or over no
   * samples, goes as a message without values, which tells the round.
   */
  public void post(boolean[] chosen, long round, Range range, long samples, float[] vector) {
    Part part = new Part(content, round, samples == 0 ? Range.EMPTY : range, samples, vector);
    if (send(chosen, part)) {
      keep(part);
    }
  }

  /** Whether something waits. */
  private boolean send(boolean[] chosen, Part part) {
    boolean waits = false;
    for (int i = 1; i <= chosen.length; i++) {
      // Each begins with its own neighbour: else all would send to the same rank at once. The rank
      // itself comes last, where it serves.
      int peer = (config.rank() + i) % chosen.length;
      if (chosen[peer] && !absent[peer]) {
        if (parts[peer] != null) {
          throw new IllegalStateException(
              "a part of round "
                  + part.round
                  + " for rank "
                  + peer
                  + " before the last one is sent");
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

  /** Tells a peer the round of this rank at once. */
  public void tellRound(int peer, long round) {
    tell(peer, round, content.of(Range.EMPTY, 0, Payload.none()));
  }

  /** Tells a peer something ahead of what waits for it, and beyond its window. */
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
   * Bytes of the values that were sent and have arrived, as float32 however they went: so a rate
   * that they are taken for is that of a vector's bytes.
   */
  public long bytesArrived() {
    return bytesArrived;
  }

  /** How many vectors wait here: 1, or 0 as long as nothing had to. */
  public int vectors() {
    return kept.length == 0 ? 0 : 1;
  }

  /** A message from here has come to its receiver. */
  public void arrived(Message message) {
    int peer = message.to();
    if (flights[peer].underWay() == 0) {
      throw new IllegalStateException(
          "a message has arrived at rank " + peer + " that was not sent to it");
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
    // A part without elements is one message all the same.
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
    return unsent + " parts to be sent, messages under way " + Arrays.toString(underWay);
  }
}
