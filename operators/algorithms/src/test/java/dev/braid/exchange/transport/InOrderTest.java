package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.LinkControl.Probe;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import dev.braid.exchange.message.Transit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class InOrderTest {

  private final List<Long> handedOn = new ArrayList<>();
  private final InOrder inOrder = new InOrder(message -> handedOn.add(message.round()));

  @Test
  void whatOvertakesWaits() {
    accept(1, 2);
    accept(1, 3);
    assertThat(handedOn).isEmpty();
    accept(1, 1);
    assertThat(handedOn).containsExactly(1L, 2L, 3L);
  }

  @Test
  void oneSenderKeepsNoOtherWaiting() {
    accept(1, 2);
    accept(2, 1);
    assertThat(handedOn).containsExactly(1L);
  }

  @Property(tries = 100)
  void anyOrderBecomesThatOfTheNumbers(
      @ForAll @IntRange(min = 1, max = 64) int count, @ForAll long seed) {
    List<Long> numbers = new ArrayList<>(LongStream.rangeClosed(1, count).boxed().toList());
    List<Long> sorted = List.copyOf(numbers);
    Collections.shuffle(numbers, new Random(seed));
    List<Long> received = new ArrayList<>();
    InOrder all = new InOrder(message -> received.add(message.round()));
    numbers.forEach(number -> all.accept(message(1, number)));
    assertThat(received).isEqualTo(sorted);
  }

  private void accept(int from, long number) {
    inOrder.accept(message(from, number));
  }

  /** Returns a message whose round is its number. */
  private static Message message(int from, long number) {
    return new Message(from, 0, number, new Transit(0, number, 0, Route.DIRECT), new Probe());
  }
}
