package dev.braid.exchange.compression;

import dev.braid.codec.HalfPrecision;
import dev.braid.codec.SparseCodec;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Coded;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share;
import dev.braid.exchange.message.Sharing;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Slice;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Packs the values of messages with gradients, or sums of gradients, when they are sent, and
 * unpacks them on arrival. Packing of sparse values is lossless.
 */
final class PackingPort extends ForwardingPort {

  /** Number of messages whose values are usually lent at the same time. */
  private static final int POOLED_CHUNKS = 64;

  private final Port port;
  private final Packing packing;
  private final SparseCodec codec = new SparseCodec();
  private final FloatPool pool;

  /** The measurement of whether packing pays, or empty if values are always packed. */
  private final Optional<PackingChoice> choice;

  /** The last sum that was rounded; allocated for the first. */
  private float[] rounded = {};

  /** The exchange that uses this port, which may know how fast links are. */
  private Measured exchange = Measured.NOTHING;

  private long plainBytes;
  private long sentBytes;

  /**
   * Creates a port around another.
   *
   * @param chunkLength number of elements in a chunk of the exchange's messages
   */
  PackingPort(Port port, Packing packing, int chunkLength) {
    super(port);
    this.port = port;
    this.packing = packing;
    this.pool = new FloatPool(chunkLength, POOLED_CHUNKS);
    this.choice = packing.ifItPays() ? Optional.of(new PackingChoice()) : Optional.empty();
  }

  /**
   * Sets the exchange that sends through this port. It may have a transport of its own, which
   * measures links.
   */
  void isOf(Measured sender) {
    exchange = sender;
  }

  private OptionalDouble linkBytesPerSecond() {
    OptionalDouble within = exchange.bytesPerSecond();
    return within.isPresent() ? within : port.bytesPerSecond();
  }

  /** Adds the bytes of values, plain and sent. */
  void addFigures(FigureValues to) {
    to.add(Figure.PLAIN_BYTES, plainBytes);
    to.add(Figure.SENT_BYTES, sentBytes);
  }

  /** Returns the length of the array that holds a rounded sum; 0 before the first one. */
  int roundedElements() {
    return rounded.length;
  }

  @Override
  public void send(Message message) {
    Optional<Payload> packed = isPackedBefore(message) ? Optional.empty() : packedValues(message);
    port.send(packed.map(message::withPayload).orElse(message));
    packed.ifPresent(Payload::release);
  }

  /**
   * Returns whether a message was packed before: a transport has a message packed before it numbers
   * it, and a message that is passed on was packed by another rank.
   */
  private static boolean isPackedBefore(Message message) {
    return message.transit().number() > 0;
  }

  @Override
  public void handOver(Message message) {
    Message packed = packed(message);
    port.handOver(packed);
  }

  @Override
  public Message packed(Message message) {
    Optional<Payload> packed = packedValues(message);
    packed.ifPresent(other -> message.release());
    return packed.map(message::withPayload).orElse(message);
  }

  /** Returns the values in a shorter form, if there is one. */
  private Optional<Payload> packedValues(Message message) {
    Payload payload = message.payload();
    if (message.body() instanceof Sharing.SharedUpdate) {
      return packedUpdate(message);
    }
    if (!(payload instanceof Payload.Dense) || payload.isEmpty() || !isPacked(message.body())) {
      return Optional.empty();
    }
    Optional<Payload> packed =
        choice.isPresent()
            ? shorterIfItPays(choice.get(), payload)
            : shorter(message.body(), payload);
    count(payload, packed.orElse(payload));
    return packed;
  }

  /**
   * Returns the packed values of an update, or empty. The origin of an update packs it once for all
   * ranks that relay it, when it keeps it as a message to itself. Whether packing pays does not
   * matter here: ranks keep tens of updates.
   */
  private Optional<Payload> packedUpdate(Message update) {
    Payload payload = update.payload();
    if (update.from() == update.to()) {
      return payload.isEmpty() ? Optional.empty() : shorter(update.body(), payload);
    }
    count(payload, payload);
    return Optional.empty();
  }

  private void count(Payload plain, Payload sent) {
    plainBytes += Payload.Dense.bytesOf(plain.length());
    sentBytes += sent.bytes();
  }

  private boolean isPacked(Body body) {
    if (packing.models()) {
      return body instanceof Share.Weights;
    }
    return isPartialSum(body)
        || (isFinishedSum(body) && !packing.weightsComeBack())
        || body instanceof Share.Gradient
        || body instanceof Share.Missed;
  }

  private static boolean isPartialSum(Body body) {
    return body instanceof Coded.Answer
        || (body instanceof Sum sum && sum.kind() != Sum.Kind.FINISHED);
  }

  private static boolean isFinishedSum(Body body) {
    return body instanceof Coded.RoundSum
        || (body instanceof Sum sum && sum.kind() == Sum.Kind.FINISHED);
  }

  private Optional<Payload> shorter(Body body, Payload payload) {
    return packing
        .rounding()
        .map(form -> rounded(form, body, payload))
        .orElseGet(() -> Payload.Sparse.of(payload.dense(), codec));
  }

  /**
   * Returns the values rounded to 16 bits, or empty if the message must keep values that the form
   * does not have.
   */
  private Optional<Payload> rounded(HalfPrecision form, Body body, Payload payload) {
    boolean rounds = packing.roundsPartialSums() || !isPartialSum(body);
    return rounds || Payload.Half.hasAll(form, payload.dense())
        ? Optional.of(rounded(form, payload))
        : Optional.empty();
  }

  private Optional<Payload> shorterIfItPays(PackingChoice among, Payload payload) {
    long plain = payload.bytes();
    if (!among.pays(linkBytesPerSecond())) {
      among.sentPlain(plain);
      return Optional.empty();
    }
    long began = port.nowNanos();
    Optional<Payload> packed = Payload.Sparse.of(payload.dense(), codec);
    among.packed(plain, packed.orElse(payload).bytes(), port.nowNanos() - began);
    return packed;
  }

  /**
   * Rounds values to 16 bits. If any value is beyond the form's range, that value stays as it is,
   * and the message is sent as float32.
   */
  private Payload rounded(HalfPrecision form, Payload payload) {
    Slice into = pool.lend(payload.length());
    return Payload.Half.round(form, payload.dense(), into)
        ? new Payload.Half(form, into)
        : Payload.of(into);
  }

  /** Returns a message with its values unpacked. */
  Message unpacked(Message message) {
    if (!(message.payload() instanceof Payload.Sparse sparse)
        || message.body() instanceof Sharing.SharedUpdate) {
      return message;
    }
    return choice
        .map(it -> unpackedInTime(it, message, sparse))
        .orElseGet(() -> dense(message, sparse));
  }

  private Message dense(Message message, Payload.Sparse sparse) {
    Slice into = pool.lend(sparse.length());
    sparse.copyTo(into.array(), into.offset());
    return message.withPayload(Payload.of(into));
  }

  private Message unpackedInTime(PackingChoice among, Message message, Payload.Sparse sparse) {
    long began = port.nowNanos();
    Message dense = dense(message, sparse);
    among.unpacked(dense.payload().bytes(), port.nowNanos() - began);
    return dense;
  }

  /**
   * Rounds a finished sum before it is applied, because the rank that has added it up has more bits
   * than the ranks that it is sent to. A sum that is already rounded does not change.
   */
  @Override
  public void update(Update update) {
    port.update(
        packing.roundsSums() && update instanceof Update.GradientSum sum
            ? rounded(packing.rounding().orElseThrow(), sum)
            : update);
  }

  private Update rounded(HalfPrecision form, Update.GradientSum sum) {
    if (rounded.length < sum.range().length()) {
      rounded = new float[sum.range().length()];
    }
    Slice values = Slice.view(rounded, 0, sum.range().length());
    Payload.Half.round(form, sum.values(), values);
    return new Update.GradientSum(sum.range(), values, sum.samples(), sum.gradients());
  }
}
