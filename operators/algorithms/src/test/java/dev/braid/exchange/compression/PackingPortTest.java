package dev.braid.exchange.compression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.codec.HalfPrecision;
import dev.braid.exchange.Contribution;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.Figure;
import dev.braid.exchange.FigureValues;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.Update;
import dev.braid.exchange.allreduce.RingDescriptor;
import dev.braid.exchange.allreduce.mesh.MeshDescriptor;
import dev.braid.exchange.fttree.FaultTolerantTreeDescriptor;
import dev.braid.exchange.message.Coded;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Share;
import dev.braid.exchange.message.Sharing;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.message.Transit;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.option.ShardedUpdates;
import dev.braid.exchange.sharing.SharingDescriptor;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which messages are packed and which are sent unchanged. */
class PackingPortTest {

  private static final int LENGTH = 4_000;
  private static final int CHUNK = 100;
  private static final Optional<HalfPrecision> BFLOAT16 = Optional.of(HalfPrecision.BFLOAT16);
  private static final Optional<HalfPrecision> FLOAT16 = Optional.of(HalfPrecision.FLOAT16);

  /** Keeps messages in the form in which they are sent. */
  private static final class Wire implements Port {
    final List<Message> sent = new ArrayList<>();
    final List<Update> updates = new ArrayList<>();
    final float[] model = new float[LENGTH];
    long nanosOfACall;
    private long nowNanos;

    @Override
    public long nowNanos() {
      nowNanos += nanosOfACall;
      return nowNanos;
    }

    @Override
    public void send(Message message) {
      sent.add(message.withPayload(message.payload().copy()));
    }

    @Override
    public void wakeAt(long nanos) {}

    @Override
    public float[][] model() {
      return new float[][] {model};
    }

    @Override
    public void update(Update update) {
      updates.add(update);
    }
  }

  private static double figure(PackingPort port, Figure figure) {
    FigureValues values = new FigureValues();
    port.addFigures(values);
    return values.get(figure);
  }

  private static Sum sum(Sum.Kind kind) {
    float[] values = new float[CHUNK];
    values[7] = 0.5f;
    return new Sum(kind, Range.ofLength(CHUNK), 1, Payload.view(values, Range.ofLength(CHUNK)));
  }

  @ParameterizedTest
  @CsvSource({
    "PARTIAL, false, true",
    "PARTIAL, true, true",
    "FINISHED, false, true",
    "FINISHED, true, false"
  })
  void finishedSumsThatAreWeightsGoAsTheyAre(
      Sum.Kind kind, boolean weightsComeBack, boolean isPacked) {
    Wire wire = new Wire();
    PackingPort port =
        new PackingPort(
            wire, new Packing(Optional.empty(), true, weightsComeBack, false, false), CHUNK);
    port.send(new Message(0, 1, 0, sum(kind)));
    assertThat(wire.sent.get(0).payload() instanceof Payload.Sparse).isEqualTo(isPacked);
    assertThat(figure(port, Figure.PLAIN_BYTES)).isEqualTo(isPacked ? 4 * CHUNK : 0);
  }

  /** A rank that alone takes a step along the sum uses all its bits. */
  @ParameterizedTest
  @CsvSource({"false, 1", "true, 1.001"})
  void sumsThatAreSentToNobodyAreNotRounded(boolean weightsComeBack, float expected) {
    Wire wire = new Wire();
    PackingPort port =
        new PackingPort(wire, new Packing(BFLOAT16, true, weightsComeBack, false, false), CHUNK);
    Slice values = Slice.view(new float[] {1.001f}, 0, 1);
    port.update(new Update.GradientSum(new Range(5, 6), values, 1));
    assertThat(wire.updates.get(0).values().toArray()).containsExactly(expected);
    assertThat(port.roundedElements()).isEqualTo(weightsComeBack ? 0 : 1);
  }

  /** Weights would be eight times as long as a message of them may be. */
  @ParameterizedTest
  @CsvSource({"false, 800", "true, 100"})
  void chunksAreAsLongAsWeightsAllowIt(boolean sharded, int expected) {
    int longest = 0;
    for (Message message : roundOf(sharded)) {
      longest = Math.max(longest, message.body().range().length());
      boolean isWeights =
          sharded && message.body() instanceof Sum sum && sum.kind() == Sum.Kind.FINISHED;
      assertThat(message.payload() instanceof Payload.Dense).isEqualTo(isWeights);
    }
    assertThat(longest).isEqualTo(expected);
  }

  /** Returns all messages between two ranks. */
  private static List<Message> roundOf(boolean sharded) {
    ExchangeOptions options =
        ExchangeOptions.defaults(2)
            .with(ShardedUpdates.OPTION, sharded)
            .with(Compression.OPTION, Compression.of("threshold:1%"));
    List<Wire> wires = List.of(new Wire(), new Wire());
    List<GradientCompression> compressions = new ArrayList<>();
    List<Exchange> ranks = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      ExchangeConfig config = new ExchangeConfig(rank, 2, LENGTH, CHUNK, 0, options);
      RingDescriptor ring = new RingDescriptor();
      GradientCompression compression =
          GradientCompression.of(ring, config, wires.get(rank)).orElseThrow();
      compressions.add(compression);
      ranks.add(ring.create(compression.config(), compression.port()));
      float[] gradient = new float[LENGTH];
      for (int i = rank; i < LENGTH; i += 97) {
        gradient[i] = i;
      }
      ranks.get(rank).contribute(compression.compressed(new Contribution(0, gradient, 1)));
    }
    List<Message> all =
        deliver(
            wires,
            message -> {
              int to = message.to();
              ranks.get(to).receive(compressions.get(to).unpacked(message));
            });
    assertThat(ranks).allMatch(rank -> rank.completedRounds() == 1);
    return all;
  }

  /** A sum that another rank could continue to add up is rounded only when it is finished. */
  @Test
  void aPartialSumOfSomeOrderIsNotRounded() {
    Wire wire = new Wire();
    PackingPort port =
        new PackingPort(wire, new Packing(BFLOAT16, false, false, false, false), CHUNK);
    float[] values = new float[CHUNK];
    Range range = Range.ofLength(CHUNK);
    values[3] = 1 + 0x1p-20f;
    port.send(new Message(0, 1, 0, Sum.partial(range, 1, Payload.view(values, range))));
    port.send(new Message(0, 1, 0, Sum.finished(range, 1, Payload.view(values, range))));
    values[3] = 1.5f;
    port.send(new Message(0, 1, 1, Sum.partial(range, 1, Payload.view(values, range))));
    values[3] = 1 + 0x1p-20f;
    Payload coded = Payload.view(values, range);
    port.send(new Message(0, 1, 2, new Coded.Answer(range, 1, coded)));
    port.send(new Message(0, 1, 2, new Coded.RoundSum(range, 1, false, coded)));
    assertThat(wire.sent)
        .extracting(it -> it.payload().bytes())
        .containsExactly(400L, 200L, 200L, 400L, 200L);
    assertThat(wire.sent.get(0).payload().dense().array()[3]).isEqualTo(1 + 0x1p-20f);
    assertThat(wire.sent.get(1).payload().dense().array()[3]).isEqualTo(1);
  }

  /** All other values are rounded as usual, in every message. */
  @Test
  void aMessageWithAValueBeyondTheRangeGoesAsFloat32() {
    Wire wire = new Wire();
    PackingPort port =
        new PackingPort(wire, new Packing(FLOAT16, true, false, false, false), CHUNK);
    float[] values = new float[CHUNK];
    Range range = Range.ofLength(CHUNK);
    values[3] = 1 + 0x1p-20f;
    port.send(new Message(0, 1, 0, Sum.finished(range, 1, Payload.view(values, range))));
    values[5] = -70_001;
    port.send(new Message(0, 1, 1, Sum.finished(range, 1, Payload.view(values, range))));
    port.update(new Update.GradientSum(range, Slice.view(values, range), 1));

    assertThat(wire.sent).extracting(it -> it.payload().bytes()).containsExactly(200L, 400L);
    float[] come = wire.sent.get(1).payload().dense().toArray();
    assertThat(come[3]).isOne();
    assertThat(come[5]).isEqualTo(-70_001);
    assertThat(wire.updates.get(0).values().toArray()).containsExactly(come);
    assertThat(figure(port, Figure.SENT_BYTES)).isEqualTo(600);
    assertThat(figure(port, Figure.PLAIN_BYTES)).isEqualTo(800);
  }

  /**
   * An exchange that keeps messages until they have arrived asks first; they are not packed again.
   */
  @Test
  void whatIsPackedBeforeGoesAsItIs() {
    Wire wire = new Wire();
    PackingPort port =
        new PackingPort(wire, new Packing(Optional.empty(), true, false, false, false), CHUNK);
    Message packed = port.packed(new Message(0, 1, 0, sum(Sum.Kind.PARTIAL)));
    assertThat(packed.payload()).isInstanceOf(Payload.Sparse.class);
    double bytes = figure(port, Figure.SENT_BYTES);
    Transit numbered = new Transit(0, 5, 0, Route.DIRECT);
    port.send(new Message(0, 1, 0, numbered, packed.body()));
    port.send(new Message(0, 1, 0, numbered, sum(Sum.Kind.PARTIAL)));
    assertThat(figure(port, Figure.SENT_BYTES)).isEqualTo(bytes);
    assertThat(wire.sent.get(0).payload()).isEqualTo(packed.payload());
    assertThat(wire.sent.get(1).payload()).isInstanceOf(Payload.Dense.class);
  }

  /** The bytes count each time the update is sent, and not when it is packed. */
  @Test
  void anUpdateIsPackedWhereItIsKept() {
    Wire wire = new Wire();
    PackingPort port =
        new PackingPort(wire, new Packing(Optional.empty(), true, false, false, true), CHUNK);
    Message packed = port.packed(new Message(3, 3, 0, update()));
    assertThat(packed.payload()).isInstanceOf(Payload.Sparse.class);
    assertThat(figure(port, Figure.PLAIN_BYTES)).isZero();
    port.send(new Message(3, 1, 0, packed.body()));
    port.send(new Message(3, 2, 0, update()));
    assertThat(wire.sent.get(0).payload()).isEqualTo(packed.payload());
    assertThat(wire.sent.get(1).payload()).isInstanceOf(Payload.Dense.class);
    assertThat(figure(port, Figure.PLAIN_BYTES)).isEqualTo(2 * 4 * CHUNK);
    assertThat(figure(port, Figure.SENT_BYTES)).isEqualTo(4.0 * CHUNK + packed.payload().bytes());
  }

  private static Sharing.SharedUpdate update() {
    Range range = Range.ofLength(CHUNK);
    return new Sharing.SharedUpdate(3, 0, range, 1, sum(Sum.Kind.PARTIAL).payload());
  }

  /** For an exchange with its own transport, that transport's measurement counts. */
  @ParameterizedTest
  @CsvSource({"1e6, true", "1e12, false"})
  void whetherItPaysFollowsFromHowFastLinksAre(double bytesPerSecond, boolean isShort) {
    Wire wire = new Wire();
    wire.nanosOfACall = 20_000;
    PackingPort port =
        new PackingPort(wire, new Packing(Optional.empty(), true, false, false, true), CHUNK);
    port.isOf(
        new Measured() {
          @Override
          public OptionalDouble bytesPerSecond() {
            return OptionalDouble.of(bytesPerSecond);
          }
        });
    for (int i = 0; i < 10; i++) {
      port.send(new Message(0, 1, 0, sum(Sum.Kind.PARTIAL)));
    }
    // One message is short in any case, to measure the cost.
    assertThat(wire.sent.stream().filter(it -> it.payload() instanceof Payload.Sparse))
        .hasSize(isShort ? 10 : 1);
  }

  /** Sharing is the exception, because its ranks keep their messages until all ranks have them. */
  @ParameterizedTest
  @CsvSource({"ft-tree, true", "mesh, true", "ring, true", "sharing, false"})
  void whatGoesByMeasureBeginsWithPlainValues(String exchange, boolean isPlain) {
    ExchangeDescriptor descriptor =
        switch (exchange) {
          case "ft-tree" -> new FaultTolerantTreeDescriptor();
          case "mesh" -> new MeshDescriptor();
          case "ring" -> new RingDescriptor();
          default -> new SharingDescriptor();
        };
    ExchangeOptions options =
        ExchangeOptions.defaults(2).with(Compression.OPTION, Compression.of("auto:1%"));
    Wire wire = new Wire();
    ExchangeConfig config = new ExchangeConfig(1, 2, LENGTH, CHUNK, 0, options);
    GradientCompression compression =
        GradientCompression.of(descriptor, config, wire).orElseThrow();
    Exchange rank = descriptor.create(compression.config(), compression.port());
    float[] gradient = new float[LENGTH];
    gradient[9] = 1;
    rank.contribute(compression.compressed(new Contribution(0, gradient, 1)));
    assertThat(wire.sent).isNotEmpty();
    assertThat(wire.sent.get(0).payload())
        .isInstanceOf(isPlain ? Payload.Dense.class : Payload.Sparse.class);
  }

  @Test
  void aTransportWithinTheExchangeTellsHowFastLinksAre() {
    List<Wire> wires = List.of(new Wire(), new Wire());
    List<Exchange> ranks = new ArrayList<>();
    for (Wire wire : wires) {
      wire.nanosOfACall = 1_000;
      ExchangeConfig config =
          new ExchangeConfig(ranks.size(), 2, LENGTH, CHUNK, 0, ExchangeOptions.defaults(2));
      ranks.add(new FaultTolerantTreeDescriptor().create(config, wire));
    }
    Measured measured = (Measured) ranks.get(0);
    assertThat(measured.bytesPerSecond()).isEmpty();
    for (int round = 0; round < 100; round++) {
      for (Exchange rank : ranks) {
        rank.contribute(new Contribution(round, new float[LENGTH], 1));
      }
      deliver(wires, message -> ranks.get(message.to()).receive(message));
    }
    assertThat(measured.bytesPerSecond()).isPresent();
  }

  private static List<Message> deliver(List<Wire> wires, Consumer<Message> receiver) {
    List<Message> all = new ArrayList<>();
    while (!wires.stream().allMatch(wire -> wire.sent.isEmpty())) {
      for (Wire wire : wires) {
        List<Message> sent = List.copyOf(wire.sent);
        wire.sent.clear();
        all.addAll(sent);
        sent.forEach(receiver);
      }
    }
    return all;
  }

  @Test
  void modelsAreRounded() {
    Wire wire = new Wire();
    PackingPort port =
        new PackingPort(wire, new Packing(BFLOAT16, true, false, true, false), CHUNK);
    float[] values = new float[CHUNK];
    Range range = Range.ofLength(CHUNK);
    values[3] = 1 + 0x1p-20f;
    port.send(new Message(0, 1, 0, new Share.Weights(range, Payload.view(values, range))));
    assertThat(wire.sent.get(0).payload().bytes()).isEqualTo(2L * CHUNK);
    port.update(new Update.GradientSum(range, Slice.view(values, range), 1));
    assertThat(wire.updates.get(0).values().array()[3]).as("own").isEqualTo(1 + 0x1p-20f);
  }
}
