package dev.braid.exchange.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Calls;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.HostedExchange;
import dev.braid.exchange.Port;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.transport.Window;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that wrappers of an exchange forward everything. */
class ReliableTest {

  private static final ExchangeConfig CONFIG = new ExchangeConfig(0, 2, 10, 3, 0);
  private static final Window WINDOW = Window.ofStream(CONFIG);
  private static final Port PORT = new Calls(true).of(Port.class);

  /** Methods that the links handle first, or decide. */
  private static final Set<String> OF_LINKS = Set.of("receive", "deadline", "servesWhileHeld");

  /** A method that is not forwarded would be the contract's own default. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyMethodThatSynchronousExchangesHaveIsForwarded(boolean truth) {
    Calls calls = new Calls(truth);
    Synchronous within = calls.of(Synchronous.class);
    checkForwarding(
        Synchronous.class,
        calls,
        new ReliableSynchronous(CONFIG, PORT, new int[0], (config, port) -> within));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyMethodThatAsynchronousExchangesHaveIsForwarded(boolean truth) {
    Calls calls = new Calls(truth);
    Asynchronous within = calls.of(Asynchronous.class);
    checkForwarding(
        Asynchronous.class,
        calls,
        new ReliableAsynchronous(CONFIG, PORT, (config, port) -> within));
  }

  private static void checkForwarding(
      Class<? extends Exchange> contract, Calls calls, Exchange around) {
    calls.take();
    for (Method method : Calls.methods(contract)) {
      if (!OF_LINKS.contains(method.getName()) && !method.getName().equals("awaitOthers")) {
        Object answer = Calls.call(method, around);
        assertThat(calls.take()).as("what %s calls", method).contains(method.getName());
        assertThat(answer).as("%s", method).isEqualTo(calls.answer(method));
      }
    }
  }

  /** Values that are handed over are kept as they are; others may change, and are copied. */
  @Test
  void onlyWhatIsNotHandedOverIsCopied() {
    float[] values = {1, 2};
    Message message = new Message(0, 1, 0, sum(values));
    List<float[]> sent = new ArrayList<>();
    Port port =
        new ForwardingPort(PORT) {
          @Override
          public Message packed(Message message) {
            return message;
          }

          @Override
          public void send(Message numbered) {
            sent.add(numbered.payload().dense().array());
          }
        };
    Port ofExchange =
        new ReliableLinks(CONFIG, port, () -> {}, WINDOW, new int[0], m -> {}).exchangePort();
    ofExchange.send(message);
    ofExchange.handOver(message);
    assertThat(sent).hasSize(2);
    assertThat(sent.get(0)).isNotSameAs(values);
    assertThat(sent.get(1)).isSameAs(values);
  }

  private static Sum sum(float[] values) {
    return Sum.partial(Range.ofLength(2), 1, Payload.of(Slice.view(values, 0, 2)));
  }

  @ParameterizedTest
  @MethodSource("dev.braid.exchange.registry.ExchangeType#all")
  void whatAnExchangeIsBesidesIsFoundThroughWhatWrapsIt(ExchangeType type) {
    RecordingPort port = new RecordingPort(new float[10]);
    // The compressing wrapper measures more than the exchange that it wraps.
    ExchangeConfig config =
        new ExchangeConfig(
            0, 2, 10, 3, 0, ExchangeOptions.defaults(2).with(Compression.OPTION, Compression.NONE));
    HostedExchange bare = HostedExchange.of(type.descriptor().create(config, port));
    HostedExchange wrapped = HostedExchange.of(type.create(config, port));

    assertThat(wrapped.elastic().isPresent()).isEqualTo(bare.elastic().isPresent());
    assertThat(wrapped.serving().isPresent()).isEqualTo(bare.serving().isPresent());
    assertThat(wrapped.stateful().isPresent()).isEqualTo(bare.stateful().isPresent());
    assertThat(wrapped.measured().getClass()).isEqualTo(bare.measured().getClass());
    assertThat(wrapped.replicasAgree()).isEqualTo(bare.replicasAgree());
    assertThat(wrapped.served()).isEqualTo(bare.served());
  }
}
