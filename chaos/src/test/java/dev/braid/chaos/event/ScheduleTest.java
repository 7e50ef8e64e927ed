package dev.braid.chaos.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.topology.BackupTree;
import dev.braid.topology.BinaryTree;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ScheduleTest {

  @Property(tries = 100)
  void aWayIsLeftAtAnyTime(@ForAll long seed, @ForAll @IntRange(min = 3, max = 40) int ranks) {
    List<ChaosEvent> events = new Schedule(seed, ranks, 20, 10_000, 400).events();
    for (ChaosEvent event : events) {
      long now = startMillis(event);
      Set<Link> cut =
          events.stream()
              .filter(other -> startMillis(other) <= now && endMillis(other) >= now)
              .map(other -> ((Target.OfLink) other.target()).link())
              .collect(Collectors.toSet());
      assertThat(reachable(ranks, cut)).isEqualTo(ranks);
    }
  }

  @Test
  void cutsAreAsManyAsWereAskedFor_andTheSameSeedDrawsTheSame() {
    Schedule schedule = new Schedule(7, 7, 1, 1_000_000, 500);
    assertThat(schedule.events()).hasSizeBetween(900, 1100).isEqualTo(schedule.events());
  }

  private static int reachable(int ranks, Set<Link> cut) {
    BackupTree overlay = new BackupTree(ranks);
    BitSet open = new BitSet();
    BitSet reached = new BitSet();
    open.set(BinaryTree.ROOT);
    while (!open.isEmpty()) {
      int rank = open.nextSetBit(0);
      open.clear(rank);
      reached.set(rank);
      for (int other : overlay.neighbours(rank)) {
        Link link = new Link(Math.max(rank, other), Math.min(rank, other));
        if (!reached.get(other) && !cut.contains(link)) {
          open.set(other);
        }
      }
    }
    return reached.cardinality();
  }

  private static long startMillis(ChaosEvent event) {
    return ((Start.After) event.start()).millis();
  }

  private static long endMillis(ChaosEvent event) {
    return startMillis(event) + event.forMillis().orElseThrow();
  }
}
