package dev.braid.job.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.ledger.LedgerOperator;
import dev.braid.ledger.LedgerSummary;
import dev.braid.ledger.PageUsage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.runtime.throwable.ThrowableClassifier;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged state that a task restores, with Flink's backends and the ledger. */
@SuppressWarnings("try") // Flink's harnesses may throw InterruptedException when they close
class CheckedBackendTest {

  private static final int PAGES = 6;

  /** Number of bits of each file that are flipped, one at a time. */
  private static final int FLIPS = 10;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBitThatHasChangedEndsTheJob_orChangesNothing(boolean rocksDb) throws Exception {
    OperatorSubtaskState whole;
    try (var ledger = ledger(rocksDb)) {
      ledger.open();
      use(ledger, 0);
      whole = ledger.snapshot(1, 1);
    }
    LedgerSummary undisturbed = resumed(rocksDb, whole);
    Random random = new Random(7);
    int refused = 0;
    for (int file = 0; file < files(whole).size(); file++) {
      for (int i = 0; i < FLIPS; i++) {
        OperatorSubtaskState damaged = InstantiationUtil.clone(whole);
        byte[] content = files(damaged).get(file).getData();
        int bit = random.nextInt(Byte.SIZE * content.length);
        content[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        Optional<LedgerSummary> summary = Optional.empty();
        try {
          summary = Optional.of(resumed(rocksDb, damaged));
        } catch (Exception | Error e) {
          refused++;
          assertThat(
                  ThrowableClassifier.findThrowableOfThrowableType(
                      e, ThrowableType.NonRecoverableError))
              .as("bit %d of file %d: %s", bit, file, ExceptionUtils.stringifyException(e))
              .isPresent();
        }
        if (summary.isPresent()) {
          assertThat(summary.get())
              .as("bit %d of file %d", bit, file)
              .usingRecursiveComparison()
              .isEqualTo(undisturbed);
        }
      }
    }
    assertThat(refused).isPositive();
  }

  @Test
  void aNetworkOrADiskThatFailsIsNoDamage() {
    assertThat(CheckedBackend.isDamage(new IOException(new SocketTimeoutException()))).isFalse();
    assertThat(CheckedBackend.isDamage(new AccessDeniedException("chk-5/1"))).isFalse();
    assertThat(CheckedBackend.isDamage(new InterruptedException())).isFalse();
    assertThat(CheckedBackend.isDamage(new IOException("No space left on device"))).isFalse();
    assertThat(CheckedBackend.isDamage(new FileNotFoundException("1 (Permission denied)")))
        .isFalse();
    assertThat(CheckedBackend.isDamage(new TimeoutException())).isFalse();
    assertThat(CheckedBackend.isDamage(new FileNotFoundException("1"))).isTrue();
    assertThat(CheckedBackend.isDamage(new IOException(new NoSuchFileException("1")))).isTrue();
    assertThat(CheckedBackend.isDamage(new IOException("FAILED_TO_UNCOMPRESS(5)"))).isTrue();
    assertThat(CheckedBackend.isDamage(new IllegalStateException("Unexpected key-group"))).isTrue();
  }

  private static KeyedOneInputStreamOperatorTestHarness<Integer, PageUsage, LedgerSummary> ledger(
      boolean rocksDb) throws Exception {
    var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new LedgerOperator(), PageUsage::page, TypeInformation.of(Integer.class));
    StateBackend flink =
        rocksDb ? new EmbeddedRocksDBStateBackend(true) : new HashMapStateBackend();
    harness.setStateBackend(new CheckedBackend(flink));
    return harness;
  }

  private static void use(
      KeyedOneInputStreamOperatorTestHarness<Integer, PageUsage, LedgerSummary> ledger, int epoch)
      throws Exception {
    for (int page = 0; page < PAGES; page++) {
      byte[] offsets = new byte[256];
      int[] epochs = new int[256];
      long[] rounds = new long[256];
      for (int i = 0; i < offsets.length; i++) {
        offsets[i] = (byte) i;
        epochs[i] = epoch;
        rounds[i] = 10L * epoch + page;
      }
      ledger.processElement(new StreamRecord<>(new PageUsage(page, offsets, epochs, rounds)));
    }
  }

  private static LedgerSummary resumed(boolean rocksDb, OperatorSubtaskState state)
      throws Exception {
    try (var ledger = ledger(rocksDb)) {
      ledger.initializeState(state);
      ledger.open();
      use(ledger, 1);
      ledger.endInput();
      return ledger.extractOutputValues().get(0);
    }
  }

  /** Returns the files of a snapshot, which are in memory here. */
  private static List<ByteStreamStateHandle> files(OperatorSubtaskState state) {
    List<StreamStateHandle> all = new ArrayList<>();
    state.getManagedOperatorState().forEach(it -> all.add(it.getDelegateStateHandle()));
    state
        .getManagedKeyedState()
        .forEach(
            handle -> {
              if (handle instanceof IncrementalRemoteKeyedStateHandle files) {
                all.add(files.getMetaDataStateHandle());
                files.getSharedState().forEach(file -> all.add(file.getHandle()));
                files.getPrivateState().forEach(file -> all.add(file.getHandle()));
              } else if (handle instanceof KeyGroupsStateHandle groups) {
                all.add(groups.getDelegateStateHandle());
              }
            });
    return all.stream().map(ByteStreamStateHandle.class::cast).toList();
  }
}
