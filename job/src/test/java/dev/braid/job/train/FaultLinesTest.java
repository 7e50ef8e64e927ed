package dev.braid.job.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.FaultReport;
import dev.braid.chaos.FaultReport.OfRank;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FaultLinesTest {

  private static final long SECOND = 1_000_000_000;

  private final FaultLines plain = new FaultLines(false, 0);

  @Test
  void eachIsShownOnce_afterARestartToo() {
    assertThat(plain.take(told(0, 2), 1)).containsExactly("event 1", "event 2");
    assertThat(plain.take(told(0, 2), 2)).isEmpty();
    assertThat(plain.take(told(0, 3), 3)).containsExactly("event 3");
    assertThat(plain.take(told(1, 1), 4)).containsExactly("event 1");
    assertThat(plain.take(told(0, 3), 5)).isEmpty();
  }

  @Test
  void thousandsAreAFewLines() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      lines.addAll(plain.take(told(0, 10L * i), i * SECOND / 10));
    }
    assertThat(lines).hasSizeBetween(20, 30);
    assertThat(lines.get(lines.size() - 1)).contains("; before that ").endsWith(" more");
  }

  @Test
  void whatIsInForceIsNamed_andCounted() {
    OfRank one = new OfRank(1, 0, 0, List.of(), List.of("rank 2 is cut off", "a"), 2);
    OfRank two = new OfRank(2, 0, 0, List.of(), List.of("b", "c"), 7);
    plain.take(new FaultReport(List.of(one)), 0);
    assertThat(plain.inForce()).isEqualTo("rank 2 is cut off, a");
    plain.take(new FaultReport(List.of(one, two)), 0);
    assertThat(plain.inForce()).isEqualTo("rank 2 is cut off, a, b and 6 more faults");
    plain.take(new FaultReport(List.of()), 0);
    assertThat(plain.inForce()).isEmpty();
  }

  @Test
  void whatIsInForceAtARankIsNamed() {
    OfRank one =
        new OfRank(
            1,
            0,
            0,
            List.of(),
            List.of("link 3–1 is cut", "link 2–1 is cut", "links up from level 1 are cut"),
            3);
    OfRank two =
        new OfRank(
            2,
            0,
            0,
            List.of(),
            List.of("link 3→2 is cut", "link 0–3 is cut", "link 2→3 is cut"),
            3);
    plain.take(new FaultReport(List.of(one, two)), 0);
    assertThat(plain.inForceAt(3))
        .isEqualTo("link 3–1 is cut, link 3→2 is cut, link 0–3 is cut and 1 more fault");
    assertThat(plain.inForceAt(0)).isEqualTo("link 0–3 is cut");
    assertThat(plain.inForceAt(7)).isEmpty();
  }

  private static FaultReport told(int attempt, long told) {
    List<String> recent =
        LongStream.rangeClosed(Math.max(1, told - 19), told).mapToObj(i -> "event " + i).toList();
    return new FaultReport(List.of(new OfRank(1, attempt, told, recent, List.of(), 0)));
  }
}
