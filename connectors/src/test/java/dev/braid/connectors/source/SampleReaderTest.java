package dev.braid.connectors.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Batch;
import dev.braid.loop.SourceGate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.flink.core.io.InputStatus;
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
    reader = new SampleReader(location, PLAN, 1, "job of " + folder, "attempt of " + folder, false);
    reader.start();
  }

  @AfterEach
  void close() {
    gate.close();
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

  @Test
  void aSecondShareIsAnError() {
    reader.addSplits(PLAN.start(1));
    assertThatThrownBy(() -> reader.addSplits(PLAN.start(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anIdleReaderHasNoBatchAndEndsWithTheOthers() {
    SampleReader idle =
        new SampleReader(location, PLAN, 1, "job of " + folder, "attempt of " + folder, true);
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
    SampleReader other =
        new SampleReader(
            location, new ShardPlan(8, 3, 1), 1, "job of " + folder, "attempt of " + folder, false);
    assertThatThrownBy(other::start)
        .isInstanceOf(InvalidDataException.class)
        .hasMessageContaining("9 samples here: 8 were found when the job was made");
  }
}
