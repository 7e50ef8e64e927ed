package dev.braid.exchange.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.HostedExchange;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A checkpoint that was forged, or damaged where no checksum looks. */
class HostileStateTest {

  private static final int RANKS = 3;
  private static final int LENGTH = 23;

  /** An exchange, parameter servers in each of their ways. */
  private record Kind(ExchangeType type, Consistency consistency) {
    HostedExchange create() {
      ExchangeOptions options =
          ExchangeOptions.defaults(RANKS).with(new ServerOptions(0, consistency));
      return HostedExchange.of(
          type.create(
              new ExchangeConfig(1, RANKS, LENGTH, 5, 0, options),
              new RecordingPort(new float[LENGTH])));
    }

    byte[] state() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      create().writeState(new DataOutputStream(bytes));
      return bytes.toByteArray();
    }
  }

  @Provide
  Arbitrary<Kind> kinds() {
    return Arbitraries.of(
        Stream.concat(
                ExchangeType.all().stream().map(type -> new Kind(type, Consistency.SYNC)),
                Stream.of(Consistency.values()).map(way -> new Kind(ExchangeType.PS, way)))
            .toList());
  }

  /** Four bytes anywhere are those of a number that means harm, or the end is missing. */
  @Property(tries = 500)
  void isReadOrRefused_andNothingElse(
      @ForAll("kinds") Kind kind, @ForAll int at, @ForAll int number, @ForAll boolean isCut)
      throws IOException {
    byte[] state = kind.state();
    int place = Math.floorMod(at, Math.max(1, state.length - Integer.BYTES + 1));
    byte[] forged = isCut ? Arrays.copyOf(state, Math.min(place, state.length)) : state;
    if (!isCut && state.length >= Integer.BYTES) {
      ByteBuffer.wrap(forged).putInt(place, number);
    }
    boolean refused = false;
    try {
      kind.create().readState(new DataInputStream(new ByteArrayInputStream(forged)));
    } catch (IOException e) {
      refused = true;
    }
    Statistics.label("refused")
        .collect(refused)
        .coverage(runs -> runs.check(true).percentage(percent -> percent > 10));
  }

  @ParameterizedTest
  @CsvSource({
    // After the number of ranks, and three clocks with what is forgiven.
    "0, partitions 0, 52",
    "-7, partitions -7, 52",
    "2147483647, partitions 2147483647, 52",
    "70000, partitions 70000, 56",
    "-1, a clock -, 4",
    "9, clocks of 9 ranks, 0",
  })
  void akosForgedNumberIsNamed(int number, String words, int place) throws IOException {
    byte[] state = new Kind(ExchangeType.AKO, Consistency.SYNC).state();
    ByteBuffer.wrap(state).putInt(place, number);
    HostedExchange exchange = new Kind(ExchangeType.AKO, Consistency.SYNC).create();
    assertThatThrownBy(
            () -> exchange.readState(new DataInputStream(new ByteArrayInputStream(state))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(words);
  }

  @Test
  void whatAnExchangeWritesItReads() throws IOException {
    Kind ako = new Kind(ExchangeType.AKO, Consistency.SYNC);
    HostedExchange exchange = ako.create();
    exchange.readState(new DataInputStream(new ByteArrayInputStream(ako.state())));
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    exchange.writeState(new DataOutputStream(again));
    assertThat(again.toByteArray()).isEqualTo(ako.state());
  }
}
