package dev.braid.chaos.sim.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SoundLinksTest {

  @Test
  void oneMessage_takesLatencyAndSendingTime() {
    assertThat(arrivals(SoundLinks.uniform(100, 1e9), 0, 1, 50, 7)).containsExactly(157L);
  }

  @Test
  void secondMessage_waitsUntilTheFirstIsSent() {
    assertThat(arrivals(SoundLinks.uniform(100, 1e9), 0, 1, 50, 0, 10, 500))
        .containsExactly(150L, 200L, 650L);
  }

  @Test
  void otherDirection_isAnotherLink() {
    SoundLinks links = SoundLinks.uniform(100, 1e9);
    assertThat(arrivals(links, 0, 1, 50, 0)).containsExactly(150L);
    assertThat(arrivals(links, 1, 0, 50, 0)).containsExactly(150L);
  }

  @Property
  void jitter_keepsTheOrderOfALink(@ForAll long seed) {
    SoundLinks links = new SoundLinks(seed, new SoundLinks.Bounds(0, 1_000, 1e6, 1e9, 1_000_000));
    assertThat(arrivals(links, 3, 4, 10, 0, 1, 2, 3, 4, 5, 6, 7)).isSorted().hasSize(8);
  }

  @Test
  void linksOfOneSeed_doNotDependOnWhichIsUsedFirst() {
    SoundLinks.Bounds bounds = new SoundLinks.Bounds(0, 1_000_000, 1e6, 1e9, 0);
    SoundLinks one = new SoundLinks(9, bounds);
    SoundLinks other = new SoundLinks(9, bounds);
    List<Long> before = arrivals(one, 0, 1, 10, 0);
    List<Long> unrelated = arrivals(other, 5, 6, 10, 0);
    assertThat(arrivals(other, 0, 1, 10, 0)).isEqualTo(before).isNotEqualTo(unrelated);
  }

  @Test
  void boundsThatAreNone_areRefused() {
    assertThatThrownBy(() -> new SoundLinks.Bounds(5, 4, 1, 1, 0))
        .hasMessageContaining("latency of 5 to 4 ns");
    assertThatThrownBy(() -> SoundLinks.uniform(1, 0)).hasMessageContaining("bandwidth of 0.0");
    assertThatThrownBy(() -> new SoundLinks.Bounds(0, 0, 1, 1, -1))
        .hasMessageContaining("jitter of -1 ns");
  }

  private static List<Long> arrivals(LinkModel links, int from, int to, long bytes, long... sent) {
    return Arrays.stream(sent)
        .map(nanos -> links.arrivalNanos(from, to, bytes, nanos))
        .boxed()
        .toList();
  }
}
