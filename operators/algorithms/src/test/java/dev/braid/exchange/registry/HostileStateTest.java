package dev.braid.exchange.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.runner.ExchangeRunner;
import dev.braid.exchange.server.Consistency;
import dev.braid.exchange.server.ServerOptions;
import dev.braid.exchange.state.StateKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
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
import org.junit.jupiter.params.provider.MethodSource;

/** Tests checkpoints that were forged, or damaged in a place that no checksum covers. */
class HostileStateTest {

  private static final int RANKS = 3;
  private static final int LENGTH = 23;

  /** An exchange; parameter servers with each consistency. */
  private record Kind(ExchangeType type, Consistency consistency) {
    ExchangeOptions options() {
      return ExchangeOptions.defaults(RANKS).with(new ServerOptions(0, consistency));
    }

    ExchangeRunner create() {
      return type.create(
          new ExchangeConfig(1, RANKS, LENGTH, 5, 0, options()),
          new RecordingPort(new float[LENGTH]));
    }

    SortedMap<String, byte[]> states() throws IOException {
      return create().writeStates();
    }
  }

  private static List<Kind> allKinds() {
    return Stream.concat(
            ExchangeType.all().stream().map(type -> new Kind(type, Consistency.SYNC)),
            Stream.of(Consistency.values()).map(way -> new Kind(ExchangeType.PS, way)))
        .toList();
  }

  @Provide
  Arbitrary<Kind> kinds() {
    return Arbitraries.of(allKinds());
  }

  /** Four bytes at any place are a malicious number, or the end is missing. */
  @Property(tries = 500)
  void isReadOrRefused_andNothingElse(
      @ForAll("kinds") Kind kind, @ForAll int at, @ForAll int number, @ForAll boolean isCut)
      throws IOException {
    SortedMap<String, byte[]> states = kind.states();
    List<String> names = List.copyOf(states.keySet());
    if (!names.isEmpty()) {
      String name = names.get(Math.floorMod(number, names.size()));
      states.put(name, forged(states.get(name), at, number, isCut));
    }
    boolean refused = false;
    try {
      kind.create().readStates(states);
    } catch (IOException e) {
      refused = true;
    }
    Statistics.label("refused")
        .collect(refused)
        .coverage(runs -> runs.check(true).percentage(percent -> percent > 10));
  }

  private static byte[] forged(byte[] state, int at, int number, boolean isCut) {
    int place = Math.floorMod(at, Math.max(1, state.length - Integer.BYTES + 1));
    if (isCut || state.length < Integer.BYTES) {
      return Arrays.copyOf(state, Math.min(place, state.length));
    }
    ByteBuffer.wrap(state).putInt(place, number);
    return state;
  }

  @ParameterizedTest
  @CsvSource({
    "0, partitions 0, partitions, 0",
    "-7, partitions -7, partitions, 0",
    "2147483647, partitions 2147483647, partitions, 0",
    "70000, partitions 70000, partitions, 4",
    "-1, clock -, clocks, 4",
    "9, clocks of 9 ranks, clocks, 0",
  })
  void akosForgedNumberIsNamed(int number, String words, String name, int place)
      throws IOException {
    SortedMap<String, byte[]> states = new Kind(ExchangeType.AKO, Consistency.SYNC).states();
    ByteBuffer.wrap(states.get(name)).putInt(place, number);
    ExchangeRunner exchange = new Kind(ExchangeType.AKO, Consistency.SYNC).create();
    assertThatThrownBy(() -> exchange.readStates(states))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(words);
  }

  @Test
  void whatAnExchangeWritesItReads() throws IOException {
    Kind ako = new Kind(ExchangeType.AKO, Consistency.SYNC);
    ExchangeRunner exchange = ako.create();
    exchange.readStates(ako.states());
    assertThat(exchange.writeStates())
        .containsOnlyKeys("clocks", "partitions")
        .usingRecursiveComparison()
        .isEqualTo(ako.states());
  }

  @Test
  void whatIsMissingBeginsAnew_andWhatIsTooLongIsRefused() throws IOException {
    ExchangeRunner exchange = new Kind(ExchangeType.AKO, Consistency.SYNC).create();
    SortedMap<String, byte[]> states = exchange.writeStates();
    byte[] clocks = states.remove("clocks");
    exchange.readStates(states);
    states.put("clocks", Arrays.copyOf(clocks, clocks.length + 3));
    assertThatThrownBy(() -> exchange.readStates(states))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'clocks' has 3 bytes too many");
  }

  /** A restore is checked against the descriptor's states, before the exchange is created. */
  @ParameterizedTest
  @MethodSource("allKinds")
  void descriptorsDeclareWhatIsWritten(Kind kind) {
    assertThat(kind.type().stateFormat(kind.options()).states())
        .containsAll(kind.create().stateKinds())
        .extracting(StateKind::name)
        .doesNotHaveDuplicates();
  }
}
