package dev.braid.exchange.compression;

import dev.braid.codec.SparseCodec;
import dev.braid.exchange.CompressionUse;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.message.Body;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Share;
import dev.braid.exchange.message.Sharing;
import dev.braid.exchange.message.Sum;
import dev.braid.vector.FloatPool;
import dev.braid.vector.Slice;
import java.util.Optional;

/**
 * Packs the values of messages with gradients, or with sums of them, as they are sent, and unpacks
 * them as they come. All that it does to sparse ones is without loss.
 */
final class PackingPort extends ForwardingPort {

  /** Messages whose values are lent at the same time, mostly. */
  private static final int POOLED_CHUNKS = 64;

  private final Port port;
  private final boolean halves;
  private final boolean weightsComeBack;
  private final SparseCodec codec = new SparseCodec();
  private final FloatPool pool;

  /** The last sum that was rounded; made for the first. */
  private float[] rounded = {};

  private long plainBytes;
  private long sentBytes;

  /**
   * A port around another.
   *
   * @param halves whether values are rounded to bfloat16; else they go by what is 0 of them
   * @param weightsComeBack whether what comes back for gradients are weights, in finished sums or
   *     bodies of their own, and no sum goes beyond who takes the step along it
   * @param chunkLength of the exchange's messages
   */
  PackingPort(Port port, boolean halves, boolean weightsComeBack, int chunkLength) {
    super(port);
    this.port = port;
    this.halves = halves;
    this.weightsComeBack = weightsComeBack;
    this.pool = new FloatPool(chunkLength, POOLED_CHUNKS);
  }

  /** The bytes. */
  CompressionUse use() {
    return new CompressionUse(0, 0, 0, 0, plainBytes, sentBytes);
  }

  /** How many elements of a rounded sum are kept. */
  int roundedElements() {
    return rounded.length;
  }

  @Override
  public void send(Message message) {
    Optional<Payload> packed = packed(message);
    port.send(packed.map(message::withPayload).orElse(message));
    packed.ifPresent(Payload::release);
  }

  @Override
  public void handOver(Message message) {
    Optional<Payload> packed = packed(message);
    port.handOver(packed.map(message::withPayload).orElse(message));
    packed.ifPresent(other -> message.release());
  }

  /** The values in a shorter form, if there is one. */
  private Optional<Payload> packed(Message message) {
    Payload payload = message.payload();
    if (message.body() instanceof Sharing.SharedUpdate) {
      // Its origin has packed it, once for all that relay it.
      count(payload, payload);
      return Optional.empty();
    }
    if (payload.isEmpty() || !hasGradients(message.body())) {
      return Optional.empty();
    }
    Optional<Payload> packed =
        halves ? Optional.of(half(payload)) : Payload.Sparse.of(payload.dense(), codec);
    count(payload, packed.orElse(payload));
    return packed;
  }

  private void count(Payload plain, Payload sent) {
    plainBytes += Payload.Dense.bytesOf(plain.length());
    sentBytes += sent.bytes();
  }

  private boolean hasGradients(Body body) {
    return (body instanceof Sum sum && !(weightsComeBack && sum.kind() == Sum.Kind.FINISHED))
        || body instanceof Share.Gradient
        || body instanceof Share.Missed;
  }

  private Payload half(Payload payload) {
    Slice into = pool.lend(payload.length());
    Payload.Half.round(payload.dense(), into);
    return new Payload.Half(into);
  }

  /** A message that has come, with values that are there at once. */
  Message unpacked(Message message) {
    if (!(message.payload() instanceof Payload.Sparse sparse)
        || message.body() instanceof Sharing.SharedUpdate) {
      return message;
    }
    Slice into = pool.lend(sparse.length());
    sparse.copyTo(into.array(), into.offset());
    return message.withPayload(Payload.of(into));
  }

  /**
   * Of a finished sum, who has added it up has more bits than whom it is sent to: all round it. One
   * that is rounded already stays what it is.
   */
  @Override
  public void update(Update update) {
    boolean isSent = halves && !weightsComeBack && update instanceof Update.GradientSum;
    port.update(isSent ? rounded((Update.GradientSum) update) : update);
  }

  private Update rounded(Update.GradientSum sum) {
    if (rounded.length < sum.range().length()) {
      rounded = new float[sum.range().length()];
    }
    Slice values = Slice.view(rounded, 0, sum.range().length());
    Payload.Half.round(sum.values(), values);
    return new Update.GradientSum(sum.range(), values, sum.samples(), sum.gradients());
  }
}
