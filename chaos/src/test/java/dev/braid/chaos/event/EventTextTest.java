package dev.braid.chaos.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'action':'cut','target':{'link':[3,1]} | link 3–1 | cut",
        "'action':'cut','target':{'link':[3,1],'oneWay':true} | link 3→1 | cut",
        "'action':'cut','target':{'rank':2} | links of rank 2 | cut",
        "'action':'isolate','target':{'rank':2} | rank 2 | cut off",
        "'action':'straggle','factor':2.5,'target':{'level':1} | ranks of level 1 | slowed down 2.5 times",
        "'action':'corrupt','probability':0.001,'target':{'random':{'seed':7,'count':3}} | 3 links drawn with seed 7 | corrupting 0.1 % of messages",
        "'action':'delay','delayMillis':20,'jitterMillis':5,'target':{'link':[3,1]} | link 3–1 | delayed by 20 to 25 ms",
        "'action':'delay','delayMillis':20,'target':{'link':[3,1]} | link 3–1 | delayed by 20 ms",
        "'action':'drop','probability':0.5,'target':{'link':[3,1]} | link 3–1 | losing 50 % of messages",
        "'action':'duplicate','probability':0.01,'target':{'level':2} | links up from level 2 | repeating 1 % of messages",
        "'action':'reorder','probability':0.1,'withinMillis':10,'target':{'link':[3,1]} | link 3–1 | holding back 10 % of messages for up to 10 ms",
        "'action':'throttle','bytesPerSecond':1500000,'target':{'link':[3,1]} | link 3–1 | throttled to 1.5 MB/s",
        "'action':'throttle','bytesPerSecond':500,'target':{'link':[3,1]} | link 3–1 | throttled to 500 B/s",
        "'action':'heal','target':{'link':[3,1]} | link 3–1 | healed",
        "'action':'rejoin','target':{'rank':2} | rank 2 | rejoined",
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
        "'action':'cut','target':{'link':[3,1]} | link 3–1 is cut",
        "'action':'cut','target':{'rank':2} | links of rank 2 are cut",
        "'action':'isolate','target':{'rank':2} | rank 2 is cut off",
        "'action':'isolate','target':{'level':2} | ranks of level 2 are cut off",
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
    "rank 2 is cut off, 2, true",
    "rank 2 is slowed down 3 times, 3, false",
    "ranks of level 2 are cut off, 2, false",
    "3 links drawn with seed 3 are cut, 3, false",
  })
  void ranksAreFoundInASentence(String sentence, int rank, boolean isNamed) {
    assertThat(EventText.names(rank, sentence)).isEqualTo(isNamed);
  }

  private static ChaosEvent event(String fields) throws InvalidEventException {
    String json = ("{'version':1," + fields + "}").replace('\'', '"');
    return EventReader.read(json.getBytes(StandardCharsets.UTF_8));
  }
}
