package dev.braid.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.lineage.Deal;
import dev.braid.learner.OffsetRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DealBookTest {

  private static DealBook book(int workers, int batch, Map<Integer, Long> starts) {
    DealBook book = new DealBook(workers, batch);
    starts.forEach(book::addPartition);
    return book;
  }

  private static OffsetRange range(int partition, long start, long end) {
    return new OffsetRange(partition, start, end);
  }

  @Test
  void fullRoundsAreDealtAsManyAsThereAre() {
    DealBook book = book(2, 10, Map.of(0, 5L, 1, 0L));
    Deal deal = book.deal(Map.of(0, 55L, 1, 53L), false, 100).orElseThrow();
    assertThat(deal.rounds()).isEqualTo(5);
    assertThat(deal.shares())
        .allSatisfy(share -> assertThat(OffsetRange.count(share)).isEqualTo(50));
    assertThat(deal.batch(0, 0)).containsExactly(range(0, 5, 15));
    assertThat(book.deal(Map.of(0, 55L, 1, 53L), false, 100)).isEmpty();
  }

  @Test
  void aShortRoundIsSharedEvenly() {
    DealBook book = book(3, 10, Map.of(0, 0L));
    assertThat(book.deal(Map.of(0, 8L), false, 100)).isEmpty();
    Deal deal = book.deal(Map.of(0, 8L), true, 100).orElseThrow();
    assertThat(deal.rounds()).isEqualTo(1);
    assertThat(deal.shares())
        .containsExactly(List.of(range(0, 0, 2)), List.of(range(0, 2, 5)), List.of(range(0, 5, 8)));
    assertThat(book.deal(Map.of(0, 8L), true, 100)).isEmpty();
  }

  @Test
  void noPartitionFallsBehindAnother() {
    DealBook book = book(2, 5, Map.of(0, 0L, 1, 0L, 2, 0L));
    Deal deal = book.deal(Map.of(0, 100L, 1, 1000L, 2, 0L), false, 11).orElseThrow();
    assertThat(deal.shares().stream().flatMap(List::stream))
        .containsExactly(range(0, 0, 10), range(1, 0, 45), range(1, 45, 100));
  }

  @Test
  void aSlowPartitionDoesNotWaitForEver_whereverItIs() {
    for (int slow = 0; slow < 3; slow++) {
      DealBook book = book(2, 5, Map.of(0, 0L, 1, 0L, 2, 0L));
      SortedMap<Integer, Long> ends = new TreeMap<>(Map.of(0, 0L, 1, 0L, 2, 0L));
      ends.put(slow, 1L);
      int deals = 0;
      while (book.next().get(slow) == 0) {
        int itself = slow;
        // The ends never give a whole number of rounds, so that some offsets are always left.
        ends.replaceAll((partition, end) -> partition == itself ? end : end + 11);
        assertThat(book.deal(ends, false, 100)).isPresent();
        deals++;
        assertThat(deals).as("deals without partition %d", slow).isLessThan(100);
      }
    }
  }

  @Test
  void asManyWorkersContinueWithTheirDeals() {
    DealBook before = book(2, 10, Map.of(0, 0L));
    Deal first = before.deal(Map.of(0, 200L), false, 4).orElseThrow();
    Deal later = before.deal(Map.of(0, 200L), false, 4).orElseThrow();

    DealBook restored = new DealBook(2, 10);
    restored.restore(4, Map.of(0, 80L), List.of(), List.of(first));
    assertThat(restored.resume(List.of(2L, 2L), List.of(later))).containsExactly(2L, 2L);
    assertThat(restored.deals()).containsExactly(first, later);
    assertThat(restored.next()).containsEntry(0, 160L);
    assertThat(restored.nextRound()).isEqualTo(8);
  }

  @Test
  void whatWasNotUsedIsDealtAgainToOtherWorkers() {
    DealBook before = book(2, 10, Map.of(0, 0L));
    Deal deal = before.deal(Map.of(0, 80L), false, 4).orElseThrow();

    DealBook restored = new DealBook(3, 10);
    restored.restore(4, Map.of(0, 80L), List.of(), List.of(deal));
    assertThat(restored.resume(List.of(3L, 3L), List.of())).containsExactly(3L, 3L, 3L);
    assertThat(restored.returned()).containsExactly(range(0, 30, 40), range(0, 70, 80));
    Deal again = restored.deal(Map.of(0, 80L), true, 4).orElseThrow();
    assertThat(again.firstRound()).isEqualTo(3);
    assertThat(again.shares().stream().flatMap(List::stream).mapToLong(OffsetRange::length).sum())
        .isEqualTo(20);
    assertThat(restored.returned()).isEmpty();
  }

  @Test
  void aLineageThatDoesNotFollowTheCheckpointIsRefused() {
    DealBook book = book(1, 1, Map.of(0, 0L));
    Deal gap = new Deal(7, 1, 1, List.of(List.of(range(0, 0, 1))));
    assertThatThrownBy(() -> book.resume(List.of(0L), List.of(gap)))
        .isInstanceOf(InvalidDataException.class);
  }

  /**
   * The stream grows, and the enumerator may die at any moment. It is restored from any checkpoint
   * and the lineage after it, with other workers, each of which may be in another round. The valid
   * rounds must use each offset once.
   */
  @Property
  void eachOffsetIsUsedOnceWhateverFails(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int partitions) {
    new CrashingRun(new Random(seed), partitions).run();
  }

  private static final class CrashingRun {

    /** A checkpoint: the state of the enumerator, of the readers, and of the ledger. */
    private record Checkpoint(
        long round,
        SortedMap<Integer, Long> next,
        List<OffsetRange> returned,
        List<Deal> deals,
        int lineage,
        List<Long> rounds,
        Set<String> used) {}

    private final Random random;
    private final SortedMap<Integer, Long> starts = new TreeMap<>();
    private final SortedMap<Integer, Long> ends = new TreeMap<>();
    private final List<Deal> lineage = new ArrayList<>();
    private final List<Checkpoint> checkpoints = new ArrayList<>();
    private DealBook book;
    private List<Long> rounds;
    private Set<String> used = new TreeSet<>();

    private CrashingRun(Random random, int partitions) {
      this.random = random;
      for (int partition = 0; partition < partitions; partition++) {
        starts.put(partition, (long) random.nextInt(3));
        ends.put(partition, starts.get(partition));
      }
      begin();
      checkpoint();
    }

    private void begin() {
      int workers = 1 + random.nextInt(4);
      book = book(workers, batch(), starts);
      rounds = book.resume(Collections.nCopies(workers, 0L), List.of());
    }

    private int batch() {
      return 1 + random.nextInt(3);
    }

    private void run() {
      for (int step = 0; step < 200; step++) {
        switch (random.nextInt(5)) {
          case 0 -> ends.replaceAll((partition, end) -> end + random.nextInt(7));
          case 1 -> deal(random.nextBoolean());
          case 2, 3 -> use();
          default -> {
            if (random.nextInt(4) == 0) {
              crash();
            } else {
              checkpoint();
            }
          }
        }
      }
      while (!book.isAllDealt(ends)) {
        deal(true);
      }
      rounds = new ArrayList<>(rounds);
      for (int worker = 0; worker < rounds.size(); worker++) {
        while (rounds.get(worker) < book.nextRound()) {
          useNext(worker);
        }
      }
      Set<String> all = new TreeSet<>();
      starts.forEach((partition, start) -> addAll(all, partition, start, ends.get(partition)));
      assertThat(used).isEqualTo(all);
    }

    private void deal(boolean mayBeShort) {
      Optional<Deal> deal = book.deal(ends, mayBeShort, 1 + random.nextInt(3));
      deal.ifPresent(lineage::add);
    }

    private void use() {
      int worker = random.nextInt(rounds.size());
      if (rounds.get(worker) < book.nextRound()) {
        rounds = new ArrayList<>(rounds);
        useNext(worker);
      }
    }

    private void useNext(int worker) {
      long round = rounds.get(worker);
      Deal deal =
          book.deals().stream()
              .filter(it -> it.firstRound() <= round && round < it.endRound())
              .findFirst()
              .orElseThrow();
      for (OffsetRange range : deal.batch(worker, round)) {
        int before = used.size();
        addAll(used, range.partition(), range.start(), range.end());
        assertThat(used.size() - before).as("%s is used again", range).isEqualTo(range.length());
      }
      rounds.set(worker, round + 1);
    }

    private static void addAll(Set<String> to, int partition, long start, long end) {
      for (long offset = start; offset < end; offset++) {
        to.add(partition + ":" + offset);
      }
    }

    private void checkpoint() {
      checkpoints.add(
          new Checkpoint(
              book.nextRound(),
              book.next(),
              book.returned(),
              book.deals(),
              lineage.size(),
              List.copyOf(rounds),
              new TreeSet<>(used)));
      long least = rounds.stream().mapToLong(Long::longValue).min().orElseThrow();
      book.forgetBefore(least);
    }

    /** Restores the last checkpoint, because earlier ones have been deleted. */
    private void crash() {
      Checkpoint last = checkpoints.get(checkpoints.size() - 1);
      int workers = random.nextBoolean() ? last.rounds().size() : 1 + random.nextInt(4);
      int batch =
          last.deals().isEmpty() || random.nextInt(3) == 0
              ? batch()
              : last.deals().get(last.deals().size() - 1).batchSize();
      book = new DealBook(workers, batch);
      book.restore(last.round(), last.next(), last.returned(), last.deals());
      rounds = book.resume(last.rounds(), lineage.subList(last.lineage(), lineage.size()));
      used = new TreeSet<>(last.used());
    }
  }
}
