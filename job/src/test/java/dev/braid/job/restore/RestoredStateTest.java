package dev.braid.job.restore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.job.engine.FlinkSettings;
import dev.braid.job.engine.FlinkSettingsTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Restoring a model from a checkpoint, by Flink's own backend with the settings of a job. */
class RestoredStateTest {

  private static final String NAME = "replica";
  private static final int RANKS = 4;
  private static final int PART_BYTES = 4 << 20;

  /** Number of bytes per call; with fewer, calls would take longer than reading. */
  private static final int BYTES_A_CALL = 4096;

  @TempDir private Path folder;

  @Test
  void isReadInLargePieces() throws Exception {
    List<byte[]> parts = parts();
    AtomicLong reads = new AtomicLong();
    List<OperatorStateHandle> handles = new ArrayList<>();
    for (byte[] part : parts) {
      handles.add(counted(OperatorStates.written(job(), NAME, List.of(part)), reads));
    }

    assertThat(OperatorStates.restored(job(), NAME, handles)).containsExactlyElementsOf(parts);
    assertThat(reads).hasPositiveValue();
    assertThat(reads.get()).isLessThan((long) RANKS * PART_BYTES / BYTES_A_CALL);
  }

  /** An uncompressed state may come from a cluster with its own settings. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isReadWhetherItIsCompressedOrNot(boolean compressed) throws Exception {
    Configuration writer = job();
    writer.set(ExecutionOptions.SNAPSHOT_COMPRESSION, compressed);
    List<byte[]> elements = new ArrayList<>(List.of(new byte[0], new byte[4_000_000]));
    elements.add(random(70_000, 1));
    elements.add(random(3, 2));
    OperatorStateHandle handle = OperatorStates.written(writer, NAME, elements);

    assertThat(OperatorStates.restored(job(), NAME, List.of(handle)))
        .containsExactlyElementsOf(elements);
    List<byte[]> read = new ArrayList<>();
    SavedElements.forEach(handle, NAME, read::add);
    SavedElements.forEach(handle, "another", read::add);
    assertThat(read).containsExactlyElementsOf(elements);
    assertThat(SavedElements.first(handle, NAME)).hasValue(elements.get(0));
    assertThat(SavedElements.first(handle, "another")).isEmpty();
  }

  private Configuration job() {
    return FlinkSettings.job(FlinkSettingsTest.options(RANKS, folder.toString()));
  }

  private static List<byte[]> parts() {
    List<byte[]> parts = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      parts.add(random(PART_BYTES, rank));
    }
    return parts;
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static OperatorStateHandle counted(OperatorStateHandle handle, AtomicLong reads)
      throws IOException {
    ByteStreamStateHandle content = (ByteStreamStateHandle) handle.getDelegateStateHandle();
    return new OperatorStreamStateHandle(
        handle.getStateNameToPartitionOffsets(), new CountedReads(content, reads));
  }

  /** State in memory that counts its reads; for a file, each would be a system call. */
  private static final class CountedReads extends ByteStreamStateHandle {

    private static final long serialVersionUID = 1L;

    private final transient AtomicLong reads;

    CountedReads(ByteStreamStateHandle content, AtomicLong reads) {
      super(content.getHandleName(), content.getData());
      this.reads = reads;
    }

    @Override
    public FSDataInputStream openInputStream() throws IOException {
      FSDataInputStream in = super.openInputStream();
      return new FSDataInputStream() {
        @Override
        public void seek(long position) throws IOException {
          in.seek(position);
        }

        @Override
        public long getPos() throws IOException {
          return in.getPos();
        }

        @Override
        public int read() throws IOException {
          reads.incrementAndGet();
          return in.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          reads.incrementAndGet();
          return in.read(bytes, offset, length);
        }
      };
    }
  }
}
