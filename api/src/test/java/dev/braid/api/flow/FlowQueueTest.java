package dev.braid.api.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.api.sample.Encoder;
import dev.braid.learner.Batch;
import dev.braid.learner.OffsetRange;
import dev.braid.learner.Targets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowQueueTest {

  private static final OptionalLong ENDLESS = OptionalLong.empty();

  private static final Encoder<Integer> NUMBERS =
      Encoder.ofValues(
          1,
          1,
          (number, sample) -> {
            sample.feature(0, number).value(0, number);
            if (number % 7 == 3) {
              sample.refuse("refused");
            }
          });

  private static FlowConfig config(int batchSize) {
    return new FlowConfig(batchSize, 3, 100, 0, 0);
  }

  private static FlowQueue<Integer> queue(int batchSize, boolean isAlone) {
    return new FlowQueue<>(
        NUMBERS, config(batchSize), isAlone, new FlowPosition(0, 0, 0), List.of(), 0);
  }

  private static Batch take(FlowQueue<Integer> queue) {
    return queue.take(queue.peek(ENDLESS).orElseThrow(), 0);
  }

  @Test
  void aBatchIsClosedWhenItIsFull() {
    FlowQueue<Integer> queue = queue(2, false);
    assertThat(queue.add(0, 0)).isEmpty();
    assertThat(queue.peek(ENDLESS)).isEmpty();
    queue.add(1, 0);
    Batch batch = take(queue);
    assertThat(batch.features().toArray()).containsExactly(0, 1);
    assertThat(batch.epoch()).isZero();
    assertThat(batch.lastOfEpoch()).isFalse();
  }

  @Test
  void aRecordWaitsNoLongerThanItMay() {
    FlowQueue<Integer> queue = queue(2, false);
    queue.add(0, 50);
    queue.passed(149);
    assertThat(queue.peek(ENDLESS)).isEmpty();
    queue.passed(150);
    assertThat(take(queue).size()).isEqualTo(1);
  }

  @Test
  void aRankWithoutRecordsTakesPartUnlessItIsAlone() {
    FlowQueue<Integer> queue = queue(2, false);
    queue.passed(100);
    assertThat(take(queue).size()).isZero();
    // The next batch follows when the round is over and as much time has passed again.
    queue.passed(1_000);
    assertThat(queue.peek(ENDLESS)).isEmpty();

    FlowQueue<Integer> alone = queue(2, true);
    alone.passed(1_000);
    assertThat(alone.peek(ENDLESS)).isEmpty();
  }

  @Test
  void aRefusedRecordIsCountedAndNotTrainedOn() {
    FlowQueue<Integer> queue = queue(2, false);
    assertThat(queue.add(3, 0)).contains("refused");
    queue.add(4, 0);
    Batch batch = take(queue);
    assertThat(batch.features().toArray()).containsExactly(4);
    assertThat(batch.origin().orElseThrow().refused()).isEqualTo(1);
    assertThat(OffsetRange.count(batch.origin().orElseThrow().offsets())).isEqualTo(2);
  }

  @Test
  void anEncoderThatFailsRefusesTheRecord() {
    Encoder<String> encoder =
        Encoder.ofClasses(
            2, 2, (text, sample) -> sample.label(Integer.parseInt(text)).feature(0, 1));
    FlowQueue<String> queue =
        new FlowQueue<>(encoder, config(9), true, new FlowPosition(0, 0, 0), List.of(), 0);
    assertThat(queue.add("x", 0)).isPresent();
    assertThat(queue.add("2", 0)).isPresent();
    assertThat(queue.add("-1", 0)).isPresent();
    assertThat(queue.add("1", 0)).isEmpty();
    queue.close();
    Batch batch = queue.take(queue.peek(ENDLESS).orElseThrow(), 0);
    assertThat(((Targets.Classes) batch.targets()).labels()).containsExactly(1);
    assertThat(batch.features().toArray()).containsExactly(1, 0);
  }

  @Test
  void samplesWithoutAllNumbersAreRefused() {
    Encoder<Double> encoder =
        Encoder.ofValues(1, 2, (number, sample) -> sample.value(0, number).feature(0, number));
    FlowQueue<Double> queue =
        new FlowQueue<>(encoder, config(9), true, new FlowPosition(0, 0, 0), List.of(), 0);
    assertThat(queue.add(1.0, 0)).isPresent();
    assertThat(queue.add(Double.NaN, 0)).isPresent();
    assertThat(queue.add(1e300, 0)).isPresent();
  }

  @Test
  void aKeyIsAlwaysHeldOutOrNever() {
    Encoder<Integer> encoder =
        Encoder.ofClasses(1, 2, (n, sample) -> sample.feature(0, n).label(0).key("key" + n % 10));
    FlowQueue<Integer> queue =
        new FlowQueue<>(
            encoder,
            new FlowConfig(100, 3, 100, 0.5, 0),
            true,
            new FlowPosition(0, 0, 0),
            List.of(),
            0);
    for (int i = 0; i < 100; i++) {
      queue.add(i, 0);
    }
    Batch batch = queue.take(queue.peek(ENDLESS).orElseThrow(), 0);
    Set<Integer> trained = new HashSet<>();
    for (float feature : batch.features().toArray()) {
      trained.add((int) feature % 10);
    }
    assertThat(batch.size()).isEqualTo(10 * trained.size());
    assertThat(batch.heldOut().orElseThrow().size()).isEqualTo(100 - batch.size());
  }

  @Test
  void theOthersGoOnToTheEndOfTheLongestInput() {
    FlowQueue<Integer> queue = queue(2, false);
    queue.add(0, 0);
    queue.close();
    assertThat(queue.countRounds()).isEqualTo(1);
    OptionalLong end = OptionalLong.of(3);
    for (int round = 0; round < 3; round++) {
      assertThat(queue.isOver(end)).isFalse();
      queue.take(queue.peek(end).orElseThrow(), 0);
    }
    assertThat(queue.isOver(end)).isTrue();
    assertThat(queue.peek(end)).isEmpty();
  }

  /** Ranks that train in step, with an input that can be read again from a checkpoint. */
  private static final class Ranks {
    private final SplittableRandom random;
    private final List<FlowQueue<Integer>> queues = new ArrayList<>();
    private final List<Deque<Batch>> untrained = new ArrayList<>();
    private final List<OptionalLong> ends = new ArrayList<>();
    private final Set<Integer> used = new HashSet<>();
    private long now;
    private int next;

    Ranks(SplittableRandom random, Saved saved, int ranks) {
      this.random = random;
      this.next = saved.next;
      this.used.addAll(saved.used);
      for (int rank = 0; rank < ranks; rank++) {
        int own = rank;
        int count = ranks;
        long offset =
            saved.positions.stream()
                .filter(it -> it.partition() == own)
                .mapToLong(FlowPosition::nextRecord)
                .findFirst()
                .orElse(0);
        long round = saved.positions.stream().mapToLong(FlowPosition::round).min().orElse(0);
        List<FlowBatch> share = new ArrayList<>();
        for (int i = 0; i < saved.batches.size(); i++) {
          boolean isMine = saved.ranks == count ? saved.owners.get(i) == own : i % count == own;
          if (isMine) {
            share.add(saved.batches.get(i));
          }
        }
        queues.add(
            new FlowQueue<>(
                NUMBERS, config(4), ranks == 1, new FlowPosition(own, offset, round), share, 0));
        untrained.add(new ArrayDeque<>());
        ends.add(ENDLESS);
      }
    }

    void step(int records) {
      for (int i = 0; i < records; i++) {
        queues.get(random.nextInt(queues.size())).add(next++, now);
      }
      now += random.nextInt(150);
      for (int rank = 0; rank < queues.size(); rank++) {
        queues.get(rank).passed(now);
        Optional<FlowBatch> batch = queues.get(rank).peek(ends.get(rank));
        // As many batches as the gate allows the worker.
        while (batch.isPresent() && untrained.get(rank).size() < 2) {
          untrained.get(rank).add(queues.get(rank).take(batch.get(), now));
          batch = queues.get(rank).peek(ends.get(rank));
        }
      }
      if (untrained.stream().noneMatch(Deque::isEmpty) && random.nextBoolean()) {
        for (int rank = 0; rank < queues.size(); rank++) {
          for (float feature : untrained.get(rank).remove().features().toArray()) {
            assertThat(used.add((int) feature)).as("%s is used again", feature).isTrue();
          }
          queues.get(rank).consumed();
        }
      }
    }

    void steps(int count) {
      for (int i = 0; i < count; i++) {
        step(0);
      }
    }

    Saved save() {
      Saved saved = new Saved();
      saved.next = next;
      saved.ranks = queues.size();
      saved.used.addAll(used);
      for (int rank = 0; rank < queues.size(); rank++) {
        saved.positions.add(queues.get(rank).position());
        for (FlowBatch batch : queues.get(rank).batches()) {
          saved.batches.add(batch);
          saved.owners.add(rank);
        }
      }
      return saved;
    }
  }

  private static final class Saved {
    private int next;
    private int ranks;
    private final Set<Integer> used = new HashSet<>();
    private final List<FlowPosition> positions = new ArrayList<>();
    private final List<FlowBatch> batches = new ArrayList<>();
    private final List<Integer> owners = new ArrayList<>();
  }

  /**
   * Notices of the end reach ranks at different times; ranks without records continue meanwhile.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void allRanksEndAfterTheSameRound(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Ranks ranks = new Ranks(random, new Saved(), 3);
    for (int i = 0; i < 100; i++) {
      ranks.step(random.nextInt(5));
    }
    for (FlowQueue<Integer> queue : ranks.queues) {
      queue.close();
      ranks.steps(random.nextInt(20));
    }
    long most = 0;
    for (FlowQueue<Integer> queue : ranks.queues) {
      most = Math.max(most, queue.countRounds());
      ranks.steps(random.nextInt(20));
    }
    OptionalLong end = OptionalLong.of(most);
    for (int rank = 0; rank < 3; rank++) {
      ranks.ends.set(rank, end);
      ranks.steps(random.nextInt(20));
    }
    ranks.steps(1_000);
    assertThat(ranks.queues).allMatch(queue -> queue.isOver(end));
    assertThat(ranks.untrained).allMatch(Deque::isEmpty);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void eachRecordIsUsedOnceAcrossCrashesAndRescaling(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Saved saved = new Saved();
    Ranks ranks = new Ranks(random, saved, 2);
    for (int i = 0; i < 2_000; i++) {
      ranks.step(random.nextInt(5));
      int what = random.nextInt(40);
      if (what == 0) {
        saved = ranks.save();
      } else if (what == 1) {
        ranks = new Ranks(random, saved, saved.ranks == 0 ? 2 : saved.ranks);
      } else if (what == 2) {
        saved = ranks.save();
        ranks = new Ranks(random, saved, 1 + random.nextInt(4));
      }
    }
    int written = ranks.next;
    for (int i = 0; i < 1_000; i++) {
      ranks.step(0);
    }
    Set<Integer> expected = new HashSet<>();
    for (int i = 0; i < written; i++) {
      if (i % 7 != 3) {
        expected.add(i);
      }
    }
    assertThat(ranks.used).isEqualTo(expected);
    assertThat(expected).hasSizeGreaterThan(1_000);
  }
}
