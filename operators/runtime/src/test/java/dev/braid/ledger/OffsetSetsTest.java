package dev.braid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.worker.report.Reports.OffsetUse;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class OffsetSetsTest {

  private static OffsetUse use(long... partitionStartEnd) {
    int ranges = partitionStartEnd.length / 3;
    long[][] columns = new long[3][ranges];
    for (int i = 0; i < partitionStartEnd.length; i++) {
      columns[i % 3][i / 3] = partitionStartEnd[i];
    }
    return new OffsetUse(columns[0], columns[1], columns[2], 2, 1, 0);
  }

  @Test
  void rangesThatTouchAreOne() {
    OffsetSets sets = new OffsetSets();
    sets.add(use(0, 0, 10, 1, 5, 7));
    sets.add(use(0, 20, 30));
    sets.add(use(0, 10, 20));
    UsedOffsets used = sets.summary();
    assertThat(used.partitions()).containsExactly(0, 1);
    assertThat(used.starts()).containsExactly(0, 5);
    assertThat(used.ends()).containsExactly(30, 7);
    assertThat(used.repeated()).isZero();
    assertThat(used.trained()).isEqualTo(6);
    assertThat(used.heldOut()).isEqualTo(3);
  }

  /** Compares with a separate count for each offset. */
  @Property
  void everyOffsetIsCounted(@ForAll long seed) {
    Random random = new Random(seed);
    OffsetSets sets = new OffsetSets();
    TreeMap<Long, Integer> counts = new TreeMap<>();
    for (int i = 0; i < 30; i++) {
      long start = random.nextInt(50);
      long end = start + 1 + random.nextInt(10);
      sets.add(use(0, start, end));
      for (long offset = start; offset < end; offset++) {
        counts.merge(offset, 1, Integer::sum);
      }
      if (random.nextInt(5) == 0) {
        UsedOffsets saved = sets.summary();
        sets = new OffsetSets();
        sets.add(saved);
      }
    }
    UsedOffsets used = sets.summary();
    TreeMap<Long, Integer> found = new TreeMap<>();
    for (int i = 0; i < used.starts().length; i++) {
      for (long offset = used.starts()[i]; offset < used.ends()[i]; offset++) {
        found.merge(offset, 1, Integer::sum);
      }
    }
    assertThat(found.keySet()).isEqualTo(counts.keySet());
    assertThat(found.values()).containsOnly(1);
    assertThat(used.repeated())
        .isEqualTo(counts.values().stream().mapToInt(count -> count - 1).sum());
  }
}
