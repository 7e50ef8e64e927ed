package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  @Property(tries = 200)
  void everyNumberIsNewOnce_inWhateverOrder_andAcknowledgedFromThenOn(@ForAll long seed) {
    Random random = new Random(seed);
    Arrivals arrivals = new Arrivals();
    Set<Long> seen = new HashSet<>();
    for (long first = 1; first <= 256; first += Arrivals.SPAN) {
      List<Long> numbers = new ArrayList<>();
      for (long number = first; number < first + Arrivals.SPAN; number++) {
        numbers.add(number);
        numbers.add(number);
      }
      Collections.shuffle(numbers, random);
      for (long number : numbers) {
        assertThat(arrivals.accept(number)).isEqualTo(seen.add(number));
        for (long known = 1; known < first + Arrivals.SPAN; known++) {
          assertThat(Arrivals.has(arrivals.contiguous(), arrivals.beyond(), known))
              .isEqualTo(seen.contains(known));
        }
      }
    }
    assertThat(arrivals.contiguous()).isEqualTo(256);
    assertThat(arrivals.beyond()).isZero();
  }

  @Test
  void numberThatNoSenderMayUseYet_isNotTaken() {
    Arrivals arrivals = new Arrivals();
    assertThat(arrivals.accept(Arrivals.SPAN + 1)).isFalse();
    assertThat(arrivals.accept(Arrivals.SPAN)).isTrue();
    assertThat(arrivals.contiguous()).isZero();
  }
}
