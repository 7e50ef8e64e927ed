package dev.braid.chaos.sim.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MinimiserTest {

  /** Without acknowledgements, messages are sent again without end as soon as one is lost. */
  private static final PlantedMistake MISTAKE = PlantedMistake.LOST_ACKNOWLEDGEMENTS;

  @Test
  void aRunThatFails_isLeftWithWhatItNeeds() {
    RunChoice least = new Minimiser(MISTAKE::run).minimise(failing());

    assertThat(MISTAKE.run(least).failure()).isPresent();
    for (Feature feature : least.features()) {
      assertThat(MISTAKE.run(least.without(Set.of(feature))).failure()).as("%s", feature).isEmpty();
    }
    List<Integer> events = List.copyOf(least.only().orElseThrow());
    for (Integer event : events) {
      List<Integer> others = new ArrayList<>(events);
      others.remove(event);
      assertThat(MISTAKE.run(least.withOnly(others)).failure()).as("%s", event).isEmpty();
    }
  }

  @Test
  void theOptionsOfARun_repeatIt() throws Exception {
    RunChoice least =
        new Minimiser(MISTAKE::run).minimise(failing()).withKind(FaultRunKind.TREE).withRanks(3);

    RunChoice again = RandomSearch.of(least.toString().split(" ", -1)).first();

    assertThat(again).isEqualTo(least);
    assertThat(new RandomFaultRun(again).run().digest())
        .isEqualTo(new RandomFaultRun(least).run().digest());
  }

  private static RunChoice failing() {
    return LongStream.range(0, 1_000)
        .mapToObj(seed -> RunChoice.of(seed).withKind(MISTAKE.kind()))
        .filter(choice -> MISTAKE.run(choice).failure().isPresent())
        .findFirst()
        .orElseThrow();
  }
}
