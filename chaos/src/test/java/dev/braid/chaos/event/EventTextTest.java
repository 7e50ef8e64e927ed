package dev.braid.chaos.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "cut 3 1 | link 3–1 | cut",
        "cut 3 1 one-way | link 3→1 | cut",
        "cut 2 | links of rank 2 | cut",
        "isolate 2 | rank 2 | isolated",
        "straggle level 1 factor 2.5 | ranks of level 1 | slowed down 2.5 times",
        "corrupt random 3 seed 7 probability 0.001 | 3 links drawn with seed 7 | corrupting 0.1 % of messages",
        "delay 3 1 by 20ms jitter 5ms | link 3–1 | delayed by 20 to 25 ms",
        "delay 3 1 by 20ms | link 3–1 | delayed by 20 ms",
        "drop 3 1 probability 0.5 | link 3–1 | losing 50 % of messages",
        "duplicate level 2 probability 0.01 | links up from level 2 | repeating 1 % of messages",
        "reorder 3 1 probability 0.1 within 10ms | link 3–1 | holding back 10 % of messages for up to 10 ms",
        "throttle 3 1 bytes-per-second 1500000 | link 3–1 | throttled to 1.5 MB/s",
        "throttle 3 1 bytes-per-second 500 | link 3–1 | throttled to 500 B/s",
        "isolate block 0,1+1x2 of 2x4 | block 0,1+1x2 of 2x4 | isolated",
        "heal 3 1 | link 3–1 | healed",
        "rejoin 2 | rank 2 | rejoined",
      })
  void eventsAreWords(String fields, String target, String state) throws Exception {
    ChaosEvent event = event(fields);
    assertThat(EventText.target(event)).isEqualTo(target);
    assertThat(EventText.state(event.action())).isEqualTo(state);
    assertThat(EventText.begun(event)).isEqualTo(target + " " + state);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "cut 3 1 | link 3–1 is cut",
        "cut 2 | links of rank 2 are cut",
        "isolate 2 | rank 2 is isolated",
        "isolate level 2 | ranks of level 2 are isolated",
      })
  void whatIsInForceIsASentence(String fields, String sentence) throws Exception {
    assertThat(EventText.inForce(event(fields))).isEqualTo(sentence);
  }

  @ParameterizedTest
  @CsvSource({
    "link 3–1 is cut, 3, true",
    "link 3–1 is cut, 1, true",
    "link 3→1 is losing 50 % of messages, 1, true",
    "link 13–1 is cut, 3, false",
    "links of rank 2 are cut, 2, true",
    "rank 2 is isolated, 2, true",
    "rank 2 is slowed down 3 times, 3, false",
    "ranks of level 2 are isolated, 2, false",
    "'block 0,1+1x2 of 2x4 is isolated', 2, true",
    "'links of block 0,1+1x2 of 2x4 are cut', 3, false",
    "3 links drawn with seed 3 are cut, 3, false",
  })
  void ranksAreFoundInASentence(String sentence, int rank, boolean isNamed) {
    assertThat(EventText.names(rank, sentence)).isEqualTo(isNamed);
  }

  private static ChaosEvent event(String fields) throws InvalidEventException {
    return EventReader.read(fields);
  }
}
