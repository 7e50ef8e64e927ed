package dev.braid.connectors.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.coding.CodeTree;
import dev.braid.coding.Decoding;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Batch;
import dev.braid.loop.SourceGate;
import dev.braid.topology.RegularTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleReaderTest {

  private static final ShardPlan PLAN = new ShardPlan(9, 3, 1);

  private final CollectedBatches output = new CollectedBatches();
  @TempDir Path folder;
  private SourceGate gate;
  private SampleReader reader;
  private DataLocation location;

  @BeforeEach
  void open() throws Exception {
    Path file = folder.resolve("data.csv");
    Files.write(file, IntStream.range(0, 10).mapToObj(id -> id + "," + id % 2).toList());
    location = DataLocation.of(file.toString());
    gate = SourceGate.open("attempt of " + folder);
    reader = reader(PLAN, false);
    reader.start();
  }

  @AfterEach
  void close() {
    gate.close();
  }

  private SampleReader reader(ShardPlan plan, boolean idle) {
    return new SampleReader(
        location,
        Holdout.none(plan.samples()),
        Optional.empty(),
        plan,
        1,
        "job of " + folder,
        "attempt of " + folder,
        idle,
        Optional.empty());
  }

  @Test
  void emitsOneBatchACredit() {
    reader.addSplits(PLAN.start(1));
    assertThat(reader.isAvailable()).isNotDone();
    gate.grant(2);
    assertThat(reader.isAvailable()).isDone();
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    assertThat(output.batches()).hasSize(2);
  }

  @Test
  void neitherSpinsNorMissesItsShareWhenCreditsComeFirst() {
    gate.grant(1);
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    CompletableFuture<Void> available = reader.isAvailable();
    assertThat(available).isNotDone();
    assertThat(reader.snapshotState(1)).isEmpty();
    reader.addSplits(PLAN.start(1));
    assertThat(available).isDone();
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);
  }

  @Test
  void waitsWithoutSpinningUntilTheInputMayEnd() {
    reader.addSplits(PLAN.start(1));
    gate.grant(9);
    int[] exhausted = {0};
    gate.onExhausted(() -> exhausted[0]++);
    InputStatus status = reader.pollNext(output);
    while (status == InputStatus.MORE_AVAILABLE) {
      status = reader.pollNext(output);
    }
    assertThat(status).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    assertThat(exhausted[0]).isEqualTo(1);
    CompletableFuture<Void> available = reader.isAvailable();
    assertThat(available).isNotDone();
    gate.finish();
    assertThat(available).isDone();
    assertThat(reader.pollNext(output)).isEqualTo(InputStatus.END_OF_INPUT);
    assertThat(output.batches().stream().map(Batch::lastOfEpoch))
        .containsExactly(false, false, true);
  }

  @Test
  void aSnapshotGoesBackToTheOldestBatchThatIsNotUsedUp() {
    reader.addSplits(PLAN.start(1));
    gate.grant(3);
    for (int i = 0; i < 3; i++) {
      assertThat(reader.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);
    }
    ShardSplit start = PLAN.start(1).get(0);
    assertThat(reader.snapshotState(1)).containsExactly(start);
    gate.consumed();
    ShardSplit second = start.next(9).after();
    assertThat(reader.snapshotState(2)).containsExactly(second);
    assertThat(reader.snapshotState(3)).containsExactly(second);
    gate.consumed();
    gate.consumed();
    assertThat(reader.snapshotState(4)).allMatch(split -> split.isExhausted(1));
  }

  /** Each of three workers that tolerate one straggler computes two thirds of a round's samples. */
  @Test
  void whereRoundsAreCoded_aBatchHasTheWorkersPartOfAllSharesBatches() {
    CodeTree codes = new CodeTree(new RegularTree(3, 3), 1);
    ShardPlan plan = new ShardPlan(9, 1, 1);
    double[] counted = new double[9];
    int[] accounts = new int[9];
    for (int worker = 0; worker < 3; worker++) {
      CollectedBatches batches = new CollectedBatches();
      SampleReader coded =
          new SampleReader(
              location,
              Holdout.none(plan.samples()),
              Optional.empty(),
              plan,
              1,
              "job of " + folder,
              "attempt of " + folder,
              false,
              Optional.of(new CodedRounds(codes, worker)));
      coded.start();
      gate.grant(3);
      List<ShardSplit> shares = plan.start(3);
      coded.addSplits(shares);
      while (coded.pollNext(batches) == InputStatus.MORE_AVAILABLE) {}
      assertThat(coded.snapshotState(1)).isEqualTo(shares);
      gate.consumed();
      gate.consumed();
      gate.consumed();
      assertThat(coded.snapshotState(2)).hasSize(3).allMatch(split -> split.isExhausted(1));
      assertThat(batches.batches()).hasSize(3).allMatch(batch -> batch.summedSamples() == 3);
      for (Batch batch : batches.batches()) {
        assertThat(batch.size()).isEqualTo(2);
        Arrays.stream(batch.usedIds()).forEach(id -> accounts[id]++);
        if (worker < 2) {
          BitSet two = BitSet.valueOf(new long[] {3});
          double decoding = decoding(codes, two, worker);
          for (int i = 0; i < batch.size(); i++) {
            counted[batch.ids()[i]] += decoding * batch.combination().get().coefficients()[i];
          }
        }
      }
    }
    assertThat(accounts).containsOnly(1);
    for (double times : counted) {
      assertThat(times).isCloseTo(1, within(1e-6));
    }
  }

  /** If trees change between epochs, no batch of an epoch is emitted before its tree is known. */
  @Test
  void batchesOfAnEpochWaitForItsTree_withoutSpinning() {
    CodeTree first = new CodeTree(new RegularTree(2, 2), 0);
    CodeTree second = new CodeTree(new RegularTree(2, 2), 1);
    ShardPlan plan = new ShardPlan(9, 5, 2);
    SampleReader coded =
        new SampleReader(
            location,
            Holdout.none(plan.samples()),
            Optional.empty(),
            plan,
            1,
            "job of " + folder,
            "attempt of " + folder,
            false,
            Optional.of(new CodedRounds(first, 0)));
    coded.start();
    coded.addSplits(plan.start(2));
    gate.share(Optional.of(first), 1);
    gate.grant(5);
    assertThat(coded.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);
    assertThat(coded.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    CompletableFuture<Void> available = coded.isAvailable();
    assertThat(available).isNotDone();
    gate.share(Optional.of(first), 1);
    assertThat(available).isNotDone();
    gate.share(Optional.of(second), 2);
    assertThat(available).isDone();
    assertThat(coded.pollNext(output)).isEqualTo(InputStatus.MORE_AVAILABLE);
    assertThat(coded.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    assertThat(output.batches().stream().map(Batch::size)).containsExactly(4, 9);
    assertThat(output.batches().stream().map(Batch::epoch)).containsExactly(0, 1);
  }

  /** The features are copied only when they are requested. */
  @Test
  void aBatchMayHaveAllSamplesOfAShare() {
    ShardPlan plan = new ShardPlan(9, SampleSource.ALL, 2);
    SampleReader full = reader(plan, false);
    full.start();
    full.addSplits(List.of(plan.start(2).get(1)));
    gate.grant(3);
    while (full.pollNext(output) == InputStatus.MORE_AVAILABLE) {}
    assertThat(output.batches()).hasSize(2).allMatch(Batch::lastOfEpoch);
    for (Batch batch : output.batches()) {
      assertThat(batch.features().isDeferred()).isTrue();
      Batch part = batch.part(1, 2);
      assertThat(part.ids()).containsExactly(batch.ids()[1], batch.ids()[2]);
      float[] values = part.features().toArray();
      assertThat(values).containsExactly(part.ids()[0], part.ids()[1]);
    }
    assertThat(output.batches().get(0).size()).isBetween(4, 5);
  }

  private static double decoding(CodeTree codes, BitSet answered, int child) {
    Decoding decoding = codes.codeOf(RegularTree.MASTER).decoding(answered).orElseThrow();
    int index = Arrays.stream(decoding.children()).boxed().toList().indexOf(child);
    return decoding.coefficients()[index];
  }

  @Test
  void aSecondShareIsAnError() {
    reader.addSplits(PLAN.start(1));
    assertThatThrownBy(() -> reader.addSplits(PLAN.start(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anIdleReaderHasNoBatchAndEndsWithTheOthers() {
    SampleReader idle = reader(PLAN, true);
    int[] exhausted = {0};
    gate.onExhausted(() -> exhausted[0]++);
    gate.grant(2);
    idle.start();
    assertThat(idle.isAvailable()).isDone();
    assertThat(idle.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
    assertThat(exhausted[0]).isEqualTo(1);
    CompletableFuture<Void> available = idle.isAvailable();
    assertThat(available).isNotDone();
    assertThat(idle.snapshotState(1)).isEmpty();
    gate.finish();
    assertThat(available).isDone();
    assertThat(idle.pollNext(output)).isEqualTo(InputStatus.END_OF_INPUT);
    assertThat(output.batches()).isEmpty();
  }

  @Test
  void dataThatHasChangedIsAnError() {
    SampleReader other = reader(new ShardPlan(8, 3, 1), false);
    assertThatThrownBy(other::start)
        .as("no restart would help")
        .isInstanceOf(SuppressRestartsException.class)
        .cause()
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContainingAll("9 samples", "8 were found");
  }
}
