package dev.braid.connectors.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.random.Permutation;
import dev.braid.vector.Range;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class ShardPlanTest {

  /** The positions of each epoch that were used; fails if one is used twice. */
  private static final class Used {
    private final BitSet[] epochs;

    Used(int epochs) {
      this.epochs = new BitSet[epochs];
      for (int i = 0; i < epochs; i++) {
        this.epochs[i] = new BitSet();
      }
    }

    void add(ShardSplit.Step step) {
      for (Range range : step.positions()) {
        assertThat(epochs[step.epoch()].get(range.start(), range.end()).isEmpty())
            .as("%s of epoch %s is used once", range, step.epoch())
            .isTrue();
        epochs[step.epoch()].set(range.start(), range.end());
      }
    }

    void assertComplete(int samples) {
      for (BitSet epoch : epochs) {
        assertThat(epoch.cardinality()).isEqualTo(samples);
        assertThat(epoch.length()).isEqualTo(samples);
      }
    }
  }

  @Property
  void everyReaderEmitsTheSameBatchesAndEveryPositionComesOnce(
      @ForAll @IntRange(min = 1, max = 300) int samples,
      @ForAll @IntRange(min = 1, max = 20) int readers,
      @ForAll @IntRange(min = 1, max = 40) int batchSize,
      @ForAll @IntRange(min = 1, max = 3) int epochs) {
    Used used = new Used(epochs);
    int longest = (samples + readers - 1) / readers;
    int batches = (longest + batchSize - 1) / batchSize;
    for (ShardSplit start : new ShardPlan(samples, batchSize, epochs).start(readers)) {
      ShardSplit split = start;
      for (int epoch = 0; epoch < epochs; epoch++) {
        for (int batch = 1; batch <= batches; batch++) {
          assertThat(split.isExhausted(epochs)).isFalse();
          ShardSplit.Step step = split.next(samples);
          assertThat(step.epoch()).isEqualTo(epoch);
          assertThat(step.lastOfEpoch()).isEqualTo(batch == batches);
          used.add(step);
          split = step.after();
        }
      }
      assertThat(split.isExhausted(epochs)).isTrue();
    }
    used.assertComplete(samples);
  }

  /** Readers advance by different amounts, as with asynchronous exchanges, or by equal ones. */
  @Property
  void everyPositionComesOnceAcrossChangesOfReadersAndBatches(
      @ForAll @IntRange(min = 1, max = 200) int samples, @ForAll boolean inStep, @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    int epochs = 1 + random.nextInt(4);
    Used used = new Used(epochs);
    ShardPlan plan = new ShardPlan(samples, 1 + random.nextInt(20), epochs);
    List<ShardSplit> shares = new ArrayList<>(plan.start(1 + random.nextInt(8)));
    for (int change = 0; change < 5; change++) {
      int steps = random.nextInt(30);
      for (int i = 0; i < shares.size(); i++) {
        int own = inStep ? steps : random.nextInt(30);
        shares.set(i, run(shares.get(i), own, plan, used));
      }
      if (inStep) {
        assertThat(shares.stream().map(ShardSplit::nextEpoch).distinct()).hasSize(1);
      }
      int batchSize = random.nextBoolean() ? plan.batchSize() : 1 + random.nextInt(20);
      plan = new ShardPlan(samples, batchSize, epochs);
      int readers = random.nextBoolean() ? shares.size() : 1 + random.nextInt(8);
      boolean samePace = random.nextBoolean();
      List<ShardSplit> shuffled = new ArrayList<>();
      for (ShardSplit share : shares) {
        ShardSplitSerializer serializer = new ShardSplitSerializer();
        shuffled.add(serializer.deserialize(serializer.getVersion(), serializer.serialize(share)));
      }
      List<ShardSplit> resumed = plan.resume(shuffled, readers, samePace);
      Collections.shuffle(shuffled, random);
      assertThat(plan.resume(shuffled, readers, samePace)).isEqualTo(resumed);
      if (!samePace) {
        assertThat(resumed).allMatch(resumed.get(0)::isInStepWith);
      }
      shares = new ArrayList<>(resumed);
    }
    for (ShardSplit share : shares) {
      run(share, Integer.MAX_VALUE, plan, used);
    }
    used.assertComplete(samples);
  }

  private static ShardSplit run(ShardSplit from, int steps, ShardPlan plan, Used used) {
    ShardSplit split = from;
    for (int i = 0; i < steps && !split.isExhausted(plan.epochs()); i++) {
      ShardSplit.Step step = split.next(plan.samples());
      used.add(step);
      split = step.after();
    }
    return split;
  }

  @Example
  void asManyReadersGoOnAsTheyWere() {
    ShardPlan plan = new ShardPlan(10, 2, 3);
    List<ShardSplit> shares = new ArrayList<>(plan.start(3));
    shares.set(0, shares.get(0).next(10).after());
    shares.set(2, shares.get(2).next(10).after().next(10).after());
    List<ShardSplit> reversed = List.of(shares.get(2), shares.get(1), shares.get(0));
    assertThat(plan.resume(reversed, 3, true)).isEqualTo(shares);
  }

  @Example
  void atAnotherPaceTheyGoOnOnlyIfAllAreAtTheSameBatch() {
    ShardPlan plan = new ShardPlan(12, 2, 3);
    List<ShardSplit> apart = new ArrayList<>(plan.start(2));
    apart.set(1, apart.get(1).next(12).after());
    List<ShardSplit> inStep = List.of(apart.get(0).next(12).after(), apart.get(1));

    assertThat(plan.resume(inStep, 2, false)).isEqualTo(inStep);
    assertThat(plan.resume(apart, 2, true)).isEqualTo(apart);
    List<ShardSplit> cut = plan.resume(apart, 2, false);
    assertThat(cut)
        .extracting(share -> Positions.count(share.begun().get(0).remaining()))
        .containsExactly(5, 5);
  }

  @Example
  void aMissingShareIsAnErrorUnlessAllHadEnded() {
    ShardPlan plan = new ShardPlan(10, 2, 1);
    List<ShardSplit> shares = plan.start(3);
    assertThatThrownBy(() -> plan.resume(shares.subList(0, 2), 3, true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("2 of 3 shares of the data: 2 is missing");
    ShardSplit ended = new ShardSplit(1, 3, 2, List.of(), 1);
    assertThat(plan.resume(List.of(ended), 2, true)).allMatch(share -> share.isExhausted(1));
  }

  @Example
  void sharesOfDifferentRunsAreAnError() {
    ShardPlan plan = new ShardPlan(10, 2, 1);
    assertThatThrownBy(
            () -> plan.resume(List.of(plan.start(2).get(0), plan.start(3).get(1)), 2, true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not go together");
  }

  @Property
  void anOrderHasEverySampleOnce(
      @ForAll @IntRange(min = 1, max = 1000) int samples, @ForAll long seed, @ForAll int epoch) {
    int[] order = Permutation.of(samples, seed, epoch & Integer.MAX_VALUE);
    assertThat(IntStream.of(order).sorted())
        .containsExactlyElementsOf(IntStream.range(0, samples).boxed().toList());
    assertThat(Permutation.of(samples, seed, epoch & Integer.MAX_VALUE)).isEqualTo(order);
  }

  @Property
  void ordersDifferBySeedAndEpoch(@ForAll long seed) {
    Set<List<Integer>> orders = new HashSet<>();
    for (int epoch = 0; epoch < 20; epoch++) {
      orders.add(IntStream.of(Permutation.of(100, seed, epoch)).boxed().toList());
      orders.add(IntStream.of(Permutation.of(100, seed + 1, epoch)).boxed().toList());
    }
    assertThat(orders).hasSize(40);
  }

  /** Checkpoints depend on this order. */
  @Example
  void theOrderOfASeedNeverChanges() {
    assertThat(Permutation.of(10, 1, 0)).containsExactly(1, 9, 0, 7, 4, 2, 5, 3, 8, 6);
  }

  /** Samples of the third epoch would affect a model of two epochs without being counted. */
  @Example
  void sharesOfAnEpochThatIsNotToBeTrainedAreRefused() {
    ShardSplit second = ShardSplit.start(0, 1, 4).beginEpoch(8).beginEpoch(8);
    ShardSplit third = second.beginEpoch(8);
    ShardPlan two = new ShardPlan(8, 4, 2);

    assertThat(two.resume(List.of(second), 1, true)).containsExactly(second);
    assertThatThrownBy(() -> two.resume(List.of(third), 1, true))
        .isInstanceOf(InvalidDataException.class)
        .hasMessage("`epochs` 2: the checkpoint is in epoch 3 already: 3 or more is needed");
  }
}
