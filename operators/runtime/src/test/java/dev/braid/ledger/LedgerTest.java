package dev.braid.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.worker.report.Reports.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("try") // Flink's harnesses may throw InterruptedException when they close
class LedgerTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void countsEachSampleOncePerEpoch(boolean rocksDb) throws Exception {
    try (var ledger = ledger(rocksDb)) {
      ledger.open();
      for (int epoch = 0; epoch < 3; epoch++) {
        use(ledger, new Usage(epoch, epoch, IntStream.range(0, 1000).toArray()));
      }
      LedgerSummary summary = end(ledger);
      assertThat(summary.samples()).containsExactly(1000, 1000, 1000);
      assertThat(summary.repeats()).containsExactly(0, 0, 0);
    }
  }

  @Test
  void namesWhatWasUsedTwiceAndWhatIsMissing() throws Exception {
    try (var ledger = ledger(false)) {
      ledger.open();
      use(ledger, new Usage(0, 0, new int[] {0, 1, 2, 300}));
      use(ledger, new Usage(0, 1, new int[] {300, 300}));
      use(ledger, new Usage(1, 2, new int[] {1, 2, 300}));
      LedgerSummary summary = end(ledger);
      assertThat(summary.samples()).containsExactly(4, 3);
      assertThat(summary.repeats()).containsExactly(2, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goesBackToItsSnapshot(boolean rocksDb) throws Exception {
    OperatorSubtaskState state;
    try (var ledger = ledger(rocksDb)) {
      ledger.open();
      use(ledger, new Usage(0, 0, new int[] {1, 2, 3}));
      state = ledger.snapshot(1, 1);
      use(ledger, new Usage(0, 1, new int[] {4, 5}));
    }
    try (var ledger = ledger(rocksDb)) {
      ledger.initializeState(state);
      ledger.open();
      use(ledger, new Usage(0, 1, new int[] {4, 5, 1}));
      LedgerSummary summary = end(ledger);
      assertThat(summary.samples()).containsExactly(5);
      assertThat(summary.repeats()).containsExactly(1);
    }
  }

  /** Otherwise a cluster would restart the job forever. */
  @Test
  void sumsThatADiskHasChangedEndTheJobOnceAndForAll() throws Exception {
    OperatorSubtaskState state;
    try (var ledger = ledger(false)) {
      ledger.open();
      use(ledger, new Usage(0, 0, new int[] {1, 2, 3}));
      state = ledger.snapshot(1, 1);
    }
    var file = state.getManagedOperatorState().iterator().next().getDelegateStateHandle();
    byte[] bytes = ((ByteStreamStateHandle) file).getData();
    bytes[bytes.length - 1] ^= 1;
    try (var ledger = ledger(false)) {
      assertThatThrownBy(() -> ledger.initializeState(state))
          .hasStackTraceContaining("SuppressRestartsException")
          .hasStackTraceContaining("state is damaged");
    }
  }

  @Test
  void keepsItsSumsWhenItsSubtasksAreMerged() {
    EpochCounts counts = new EpochCounts();
    counts.add(new LedgerSummary(0, 2, new long[] {3, 1}, new long[] {0, 1}));
    counts.add(new LedgerSummary(1, 2, new long[] {4}, new long[] {2}));
    LedgerSummary merged = counts.summary(0, 1);
    assertThat(merged.samples()).containsExactly(7, 1);
    assertThat(merged.repeats()).containsExactly(2, 1);
  }

  @Test
  void seesARepeatThatComesAfterALaterEpoch() {
    Page page = new Page(0);
    assertThat(page.use(7, 5, 50)).isTrue();
    assertThat(page.use(7, 4, 40)).isTrue();
    assertThat(page.use(7, 4, 41)).isFalse();
    assertThat(page.use(7, 6, 60)).isTrue();
    assertThat(page.use(7, 5, 51)).isFalse();
    assertThat(page.use(7, 100, 1000)).isTrue();
    assertThat(page.use(7, 6, 61)).isFalse();
    assertThat(page.uses(7)).isEqualTo(7);
    assertThat(page.lastRound(7)).isEqualTo(1000);
    assertThat(page.lastRound(8)).isEqualTo(-1);
  }

  /** For a small data set, a group of uses from one worker covers hundreds of epochs. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void workersMayReportThousandsOfEpochsApart(boolean rocksDb) throws Exception {
    int epochs = 5000;
    try (var ledger = ledger(rocksDb)) {
      ledger.open();
      for (int worker = 0; worker < 2; worker++) {
        List<Usage> usages = new ArrayList<>();
        for (int epoch = 0; epoch < epochs; epoch++) {
          usages.add(new Usage(epoch, epoch, new int[] {(epoch + worker) % 2}));
        }
        use(ledger, usages.toArray(Usage[]::new));
      }
      LedgerSummary summary = end(ledger);
      assertThat(summary.samples()).hasSize(epochs).containsOnly(2);
      assertThat(summary.repeats()).containsOnly(0);
    }
  }

  @Test
  void groupsByPageAndHoldsNothingBackAcrossACheckpoint() throws Exception {
    try (var grouper = new OneInputStreamOperatorTestHarness<>(new UsageGrouper())) {
      grouper.setup(TypeInformation.of(PageUsage.class).createSerializer(config()));
      grouper.open();
      grouper.processElement(new StreamRecord<>(new Usage(0, 0, new int[] {600, 3, 255})));
      grouper.processElement(new StreamRecord<>(new Usage(1, 9, new int[] {3, 511})));
      assertThat(grouper.extractOutputValues()).isEmpty();
      grouper.prepareSnapshotPreBarrier(1);
      List<PageUsage> out = grouper.extractOutputValues();
      assertThat(out).extracting(PageUsage::page).containsExactly(0, 1, 2);
      assertThat(out.get(0).offsets()).containsExactly(3, 3, (byte) 255);
      assertThat(out.get(0).epochs()).containsExactly(0, 1, 0);
      assertThat(out.get(0).rounds()).containsExactly(0, 9, 0);
    }
  }

  @Test
  void groupsMoreThanItCanHold() throws Exception {
    int count = 2 * UsageGrouper.CAPACITY + 5;
    List<PageUsage> out = group(new Usage(0, 0, IntStream.range(0, count).toArray()));
    assertThat(out.stream().mapToInt(PageUsage::size).sum()).isEqualTo(count);
  }

  private static org.apache.flink.api.common.serialization.SerializerConfig config() {
    return new org.apache.flink.api.common.serialization.SerializerConfigImpl();
  }

  private static List<PageUsage> group(Usage... usages) throws Exception {
    try (var grouper = new OneInputStreamOperatorTestHarness<>(new UsageGrouper())) {
      grouper.setup(TypeInformation.of(PageUsage.class).createSerializer(config()));
      grouper.open();
      for (Usage usage : usages) {
        grouper.processElement(new StreamRecord<>(usage));
      }
      grouper.endInput();
      return new ArrayList<>(grouper.extractOutputValues());
    }
  }

  private static KeyedOneInputStreamOperatorTestHarness<Integer, PageUsage, LedgerSummary> ledger(
      boolean rocksDb) throws Exception {
    var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new LedgerOperator(), PageUsage::page, TypeInformation.of(Integer.class));
    if (rocksDb) {
      harness.setStateBackend(new EmbeddedRocksDBStateBackend(true));
    }
    return harness;
  }

  private static void use(
      KeyedOneInputStreamOperatorTestHarness<Integer, PageUsage, LedgerSummary> ledger,
      Usage... usages)
      throws Exception {
    for (PageUsage part : group(usages)) {
      ledger.processElement(new StreamRecord<>(part));
    }
  }

  private static LedgerSummary end(
      KeyedOneInputStreamOperatorTestHarness<Integer, PageUsage, LedgerSummary> ledger)
      throws Exception {
    ledger.endInput();
    return ledger.extractOutputValues().get(0);
  }
}
