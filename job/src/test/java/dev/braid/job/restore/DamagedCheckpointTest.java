package dev.braid.job.restore;

import static dev.braid.job.restore.WrittenCheckpoint.inMemory;
import static dev.braid.job.restore.WrittenCheckpoint.ledger;
import static dev.braid.job.restore.WrittenCheckpoint.samples;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.console.UsageException;
import dev.braid.run.training.TrainingJob;
import dev.braid.wire.DamagedStateException;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.state.SavedModel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.CheckpointRetentionPolicy;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.junit.jupiter.api.Test;

/** Checkpoints that are damaged, forged, or made to do harm when they are read. */
class DamagedCheckpointTest extends CheckpointCase {

  @Test
  void aDamagedCheckpointIsNamed() throws IOException {
    Path metadata = checkpoint.metadata();
    byte[] whole = Files.readAllBytes(metadata);
    List<byte[]> damaged = new ArrayList<>();
    for (int length = 0; length < whole.length; length += 307) {
      damaged.add(Arrays.copyOf(whole, length));
    }
    damaged.add("nonsense that is longer than a header".getBytes(StandardCharsets.UTF_8));
    for (byte[] bytes : damaged) {
      Files.write(metadata, bytes);
      assertThatThrownBy(() -> check("--epochs", "4"))
          .as("%d bytes", bytes.length)
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("--restore " + checkpoint.folder() + ": ")
          .hasMessageContaining("damaged");
    }
  }

  @Test
  void aChangedBitOfTheMetadataIsDamage_whereverItIs() throws IOException {
    byte[] whole = Files.readAllBytes(checkpoint.metadata());
    assertThatCode(() -> WholenessCheck.metadata(WrittenState.inline(whole), "here"))
        .doesNotThrowAnyException();
    for (int bit = 0; bit < Byte.SIZE * whole.length; bit++) {
      byte[] other = whole.clone();
      other[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatThrownBy(() -> WholenessCheck.metadata(WrittenState.inline(other), "here"))
          .as("bit %d", bit)
          .isInstanceOf(DamagedStateException.class);
    }
  }

  @Test
  void theNewestCompleteOneBeforeItIsNamed() throws IOException {
    WrittenCheckpoint damaged = WrittenCheckpoint.in(folder.resolve("a"));
    Path job = damaged.folder().getParent();
    List<Path> others = List.of(job.resolve("chk-2"), job.resolve("chk-3"), job.resolve("chk-4"));
    for (Path other : others) {
      Files.createDirectories(other);
      Files.copy(damaged.metadata(), other.resolve("_metadata"));
    }
    Files.write(damaged.metadata(), new byte[100]);
    Files.write(others.get(2).resolve("_metadata"), new byte[100]);
    long now = System.currentTimeMillis();
    for (int i = 0; i < others.size(); i++) {
      age(others.get(i), now - 60_000 + i);
    }
    age(damaged.folder(), now);

    assertThatThrownBy(() -> RestoringRun.check(damaged, "--epochs", "4"))
        .isInstanceOf(DamagedCheckpointException.class)
        .hasMessageEndingWith(" " + others.get(1))
        .message()
        .hasLineCount(1);
  }

  private static void age(Path checkpoint, long millis) throws IOException {
    Files.setLastModifiedTime(checkpoint.resolve("_metadata"), FileTime.fromMillis(millis));
  }

  /** Apart from states, Flink writes one Java object into a checkpoint or savepoint. */
  @Test
  void noOtherObjectIsReadThanFlinkWrites() throws IOException {
    for (CheckpointProperties properties :
        List.of(
            CheckpointProperties.forCheckpoint(CheckpointRetentionPolicy.RETAIN_ON_CANCELLATION),
            CheckpointProperties.forSavepoint(true, SavepointFormatType.NATIVE),
            CheckpointProperties.forSyncSavepoint(true, true, SavepointFormatType.CANONICAL))) {
      checkpoint.write(List.of(samples(3, 4), ledger(inMemory())), properties);
      assertThatCode(() -> check("--epochs", "4")).doesNotThrowAnyException();
    }
    Path metadata = checkpoint.metadata();
    byte[] sealed = Files.readAllBytes(metadata);
    byte[] whole = Arrays.copyOf(sealed, sealed.length - StateChecksum.BYTES);
    Path footprint = folder.resolve("footprint");
    byte[] trap = serialised(new Trap(footprint.toString()));
    ByteBuffer ofFlink = ByteBuffer.wrap(whole);
    int object = whole.length - Integer.BYTES;
    while (ofFlink.getInt(object) != ByteBuffer.wrap(trap).getInt()) {
      object--;
    }
    for (int end : new int[] {object, object - 100, whole.length}) {
      ByteArrayOutputStream hostile = new ByteArrayOutputStream();
      hostile.write(whole, 0, end);
      hostile.write(trap);
      Files.write(metadata, StateChecksum.sealed(hostile.toByteArray()));
      try {
        check("--epochs", "4");
      } catch (UsageException e) {
        assertThat(e).hasMessageContaining("_metadata");
      }
      assertThat(footprint).doesNotExist();
      assertRefused("its file _metadata has an object");
    }
  }

  /** Object that runs code when it is deserialised: it creates a file. */
  private static final class Trap implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String footprint;

    Trap(String footprint) {
      this.footprint = footprint;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      Files.createFile(Path.of(footprint));
    }
  }

  private static byte[] serialised(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  /** Flink allocates as much memory as the length says. */
  @Test
  void aLengthThatIsForgedIsNamed() throws IOException {
    Path metadata = checkpoint.metadata();
    byte[] whole = Files.readAllBytes(metadata);
    for (int at = 8; at < whole.length - Integer.BYTES; at += 31) {
      byte[] forged = whole.clone();
      ByteBuffer.wrap(forged).putInt(at, Integer.MAX_VALUE);
      StateChecksum.seal(forged);
      Files.write(metadata, forged);
      try {
        check("--epochs", "4");
      } catch (UsageException e) {
        assertThat(e).hasMessageStartingWith("--restore " + checkpoint.folder() + ": ");
      }
    }
  }

  /** A block's claimed length would be allocated at once. */
  @Test
  void aCompressedBlockOfAForgedLengthIsDamage() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(WrittenState.compressedHead(SavedModel.STATE));
    int offset = file.size();
    // A frame of 9 bytes, of which 4 are a checksum and the others a length of 2^31 - 1.
    file.write(new byte[] {0, 9, 0, 0, 1, 2, 3, 4, -1, -1, -1, -1, 7});
    refusedAsDamaged(
        WrittenState.at(SavedModel.STATE, offset, WrittenState.inline(file.toByteArray())));
  }

  @Test
  void anElementThatIsSaidToBeInManyPlacesIsReadOnce() throws IOException {
    OperatorStateHandle one = WrittenState.list(SavedModel.STATE, new byte[8 << 20]);
    long offset = one.getStateNameToPartitionOffsets().get(SavedModel.STATE).getOffsets()[0];
    for (long second : new long[] {offset, offset + 1}) {
      long[] offsets = new long[4_000];
      Arrays.fill(offsets, offset);
      offsets[1] = second;
      refusedAsDamaged(WrittenState.at(SavedModel.STATE, offsets, one.getDelegateStateHandle()));
      refusedAsDamagedReader(
          WrittenState.at("SourceReaderState", offsets, one.getDelegateStateHandle()));
    }
  }

  @Test
  void aPlaceThatIsForgedIsDamage() throws IOException {
    StreamStateHandle file =
        WrittenState.beside(
            checkpoint.folder(),
            WrittenState.list(
                SavedModel.STATE, BytePrimitiveArraySerializer.INSTANCE, new byte[100]));
    for (long offset : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1 << 20}) {
      refusedAsDamaged(WrittenState.at(SavedModel.STATE, offset, file));
    }
  }

  @Test
  void aReadersPositionThatIsTooShortIsDamage() throws IOException {
    for (int length = 0; length < 12; length++) {
      refusedAsDamagedReader(WrittenState.list("SourceReaderState", new byte[length]));
    }
  }

  private void refusedAsDamaged(OperatorStateHandle state) throws IOException {
    refusedAsDamaged(TrainingJob.WORKERS_UID, state);
  }

  private void refusedAsDamagedReader(OperatorStateHandle state) throws IOException {
    refusedAsDamaged(TrainingJob.SAMPLES_UID, state);
  }

  private void refusedAsDamaged(String uid, OperatorStateHandle state) throws IOException {
    OperatorState operator = new OperatorState("Forged", uid, new OperatorID(1, 4), 1, 128);
    operator.putState(
        0,
        OperatorSubtaskState.builder()
            .setManagedOperatorState(StateObjectCollection.singleton(state))
            .build());
    checkpoint.write(List.of(operator));
    assertRefused("the checkpoint is damaged: ");
  }

  /** Asserts an error of one line, which begins with the checkpoint and the reason. */
  private void assertRefused(String reason) {
    assertThatThrownBy(() -> check("--epochs", "4"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--restore " + checkpoint.folder() + ": " + reason)
        .message()
        .hasLineCount(1);
  }
}
