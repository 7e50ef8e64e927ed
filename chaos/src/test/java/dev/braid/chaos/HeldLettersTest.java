package dev.braid.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Pull;
import dev.braid.loop.envelope.Envelope.Letter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldLettersTest {

  private final HeldLetters held = new HeldLetters();
  private final List<Letter> arrived = new ArrayList<>();

  private static Letter letter(long round) {
    return new Letter(0, new Message(0, 1, round, new Pull.Withdraw(0)));
  }

  @Test
  void lettersArriveInTheOrderOfTheirTimesAndOfOneTimeInTheOrderTheyCame() {
    held.add(5, letter(1));
    held.add(3, letter(2));
    held.add(5, letter(3));
    held.add(9, letter(4));
    assertThat(held.nextNanos()).isEqualTo(3);
    held.release(5, arrived::add);
    assertThat(arrived).extracting(letter -> letter.message().round()).containsExactly(2L, 1L, 3L);
    assertThat(held.nextNanos()).isEqualTo(9);
    held.discard();
    assertThat(held.isEmpty()).isTrue();
    assertThat(held.nextNanos()).isEqualTo(Long.MAX_VALUE);
  }
}
