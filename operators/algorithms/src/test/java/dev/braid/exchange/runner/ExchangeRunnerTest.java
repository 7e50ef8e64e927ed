package dev.braid.exchange.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.Asynchronous;
import dev.braid.exchange.Calls;
import dev.braid.exchange.Exchange;
import dev.braid.exchange.ExchangeConfig;
import dev.braid.exchange.ExchangeDescriptor;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.ForwardingPort;
import dev.braid.exchange.Measured;
import dev.braid.exchange.Port;
import dev.braid.exchange.RecordingPort;
import dev.braid.exchange.Synchronous;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.Sum;
import dev.braid.exchange.option.Compression;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a runner calls its exchange, and what it puts between the exchange and the port. */
class ExchangeRunnerTest {

  private static final ExchangeConfig CONFIG = new ExchangeConfig(0, 2, 10, 3, 0);
  private static final Port PORT = new Calls(true).of(Port.class);

  /** Methods that the transport calls, or decides, and those that are read only once. */
  private static final Set<String> OTHERS =
      Set.of("receive", "deadline", "servesWhileHeld", "arrived", "participation", "figures");

  /** An exchange with statistics. */
  interface MeasuredAsynchronous extends Asynchronous, Measured {}

  /** An exchange that is placed on a transport. */
  private record OnLinks(boolean synchronous, BiFunction<ExchangeConfig, Port, Exchange> algorithm)
      implements ExchangeDescriptor {

    @Override
    public String name() {
      return "tested";
    }

    @Override
    public String summary() {
      return "";
    }

    @Override
    public boolean isSynchronous(ExchangeOptions chosen) {
      return synchronous;
    }

    @Override
    public Exchange create(ExchangeConfig config, Port port) {
      return algorithm.apply(config, port);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyMethodThatSynchronousExchangesHaveIsCalled(boolean truth) throws Exception {
    Calls calls = new Calls(truth);
    Synchronous within = calls.of(Synchronous.class);
    checkCalls(Synchronous.class, calls, new OnLinks(true, (config, port) -> within));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyMethodThatAsynchronousExchangesHaveIsCalled(boolean truth) throws Exception {
    Calls calls = new Calls(truth);
    MeasuredAsynchronous within = calls.of(MeasuredAsynchronous.class);
    checkCalls(MeasuredAsynchronous.class, calls, new OnLinks(false, (config, port) -> within));
  }

  private static void checkCalls(
      Class<? extends Exchange> contract, Calls calls, ExchangeDescriptor descriptor)
      throws Exception {
    ExchangeRunner runner = ExchangeRunner.of(descriptor, CONFIG, PORT);
    calls.take();
    for (Method method : Calls.methods(contract)) {
      if (!OTHERS.contains(method.getName())) {
        Method own = ExchangeRunner.class.getMethod(method.getName(), method.getParameterTypes());
        Object answer = Calls.call(own, runner);
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
    List<Port> ofExchange = new ArrayList<>();
    Synchronous within = new Calls(true).of(Synchronous.class);
    ExchangeRunner.of(
        new OnLinks(
            true,
            (config, its) -> {
              ofExchange.add(its);
              return within;
            }),
        CONFIG,
        port);
    ofExchange.get(0).send(message);
    ofExchange.get(0).handOver(message);
    assertThat(sent).hasSize(2);
    assertThat(sent.get(0)).isNotSameAs(values);
    assertThat(sent.get(1)).isSameAs(values);
  }

  private static Sum sum(float[] values) {
    return Sum.partial(Range.ofLength(2), 1, Payload.of(Slice.view(values, 0, 2)));
  }

  @ParameterizedTest
  @MethodSource("dev.braid.exchange.registry.ExchangeType#all")
  void theTransportChangesNoAbilityOfAnExchange(ExchangeType type) {
    RecordingPort port = new RecordingPort(new float[10]);
    ExchangeConfig config =
        new ExchangeConfig(
            0, 2, 10, 3, 0, ExchangeOptions.defaults(2).with(Compression.OPTION, Compression.NONE));
    ExchangeRunner bare = ExchangeRunner.bare(type.descriptor()::create).create(config, port);
    ExchangeRunner onLinks = type.create(config, port);

    assertThat(onLinks.view()).isEqualTo(bare.view());
    assertThat(onLinks.stateKinds()).isEqualTo(bare.stateKinds());
    assertThat(onLinks.planning().isPresent()).isEqualTo(bare.planning().isPresent());
    assertThat(onLinks.replicasAgree()).isEqualTo(bare.replicasAgree());
    assertThat(onLinks.served()).isEqualTo(bare.served());
  }
}
