package dev.braid.job.restore;

import dev.braid.job.engine.CheckedBackend;
import dev.braid.job.engine.SealedStorage;
import dev.braid.ledger.PageSerializer;
import dev.braid.run.training.TrainingJob;
import dev.braid.wire.DamagedStateException;
import dev.braid.wire.SealedSerializer;
import dev.braid.wire.StateChecksum;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filemerging.EmptyFileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;

/**
 * Verification of the checksums of a checkpoint's state, up to 1 GiB. Tasks verify them as well,
 * but only after the job has started.
 *
 * <p>For RocksDB's files, which have their own checksums, and for the ledger in canonical
 * savepoints, only existence and length are checked here.
 */
final class WholenessCheck {

  /** Maximum number of bytes of state to read, which a disk reads in a few seconds. */
  private static final long MOST_BYTES = 1L << 30;

  /** Bytes before the state of Flink's source readers: version and length. */
  private static final int VERSIONED_BYTES = 2 * Integer.BYTES;

  private long bytesLeft = MOST_BYTES;

  private WholenessCheck() {}

  /**
   * Reads a checkpoint's metadata.
   *
   * @param place the checkpoint's location, for Flink's messages
   * @throws InvalidClassException if it contains an object that Flink does not write
   * @throws IOException if it cannot be read, or is damaged
   */
  static CheckpointMetadata metadata(StreamStateHandle file, String place) throws IOException {
    byte[] content;
    try (InputStream in = SealedStorage.open(file)) {
      content = in.readAllBytes();
    }
    JavaObjectsCheck.check(content);
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
      return Checkpoints.loadCheckpointMetadata(in, WholenessCheck.class.getClassLoader(), place);
    } catch (RuntimeException | OutOfMemoryError e) {
      // Flink trusts the lengths in it and allocates as much memory at once.
      throw new DamagedStateException("the file _metadata", e);
    }
  }

  /**
   * Verifies the state of a checkpoint that {@code StateFilesCheck} has accepted.
   *
   * @throws IOException if a part of it is missing or damaged, or cannot be read
   */
  static void check(CheckpointMetadata metadata) throws IOException {
    WholenessCheck check = new WholenessCheck();
    for (OperatorState operator : metadata.getOperatorStates()) {
      for (OperatorSubtaskState subtask : operator.getStates()) {
        try {
          check.checkOperatorState(
              operator.getOperatorUid().orElse(""), subtask.getManagedOperatorState());
          check.checkKeyedState(subtask.getManagedKeyedState(), operator.getMaxParallelism());
        } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
          throw new DamagedStateException(
              "'" + operator.getOperatorUid().orElse(operator.getOperatorID().toString()) + "'", e);
        }
      }
    }
  }

  private void checkOperatorState(String operator, Collection<OperatorStateHandle> handles)
      throws IOException {
    for (OperatorStateHandle handle : handles) {
      if (!(handle instanceof EmptyFileMergingOperatorStreamStateHandle)) {
        checkLength(handle.getDelegateStateHandle());
        CheckedBackend.checkHead(handle, WholenessCheck.class.getClassLoader());
        if (isToBeRead(handle)) {
          for (String name : handle.getStateNameToPartitionOffsets().keySet()) {
            SavedElements.forEach(handle, name, element -> checkElement(operator, name, element));
          }
        }
      }
    }
  }

  private static void checkElement(String operator, String name, byte[] element)
      throws IOException {
    byte[] sealed = element;
    if (name.equals(SavedRun.READER_STATE)) {
      if (element.length < VERSIONED_BYTES) {
        throw new DamagedStateException(
            "'" + name + "'", "it has only %d bytes".formatted(element.length));
      }
      if (!operator.equals(TrainingJob.SAMPLES_UID)
          && !SealedSerializer.isSealed(ByteBuffer.wrap(element).getInt())) {
        // State of Flink's own source, for events in a file. It is inside the file _metadata.
        return;
      }
      sealed = Arrays.copyOfRange(element, VERSIONED_BYTES, element.length);
    }
    StateChecksum.open("'" + name + "'", sealed).close();
  }

  private void checkKeyedState(Collection<KeyedStateHandle> handles, int maxParallelism)
      throws IOException {
    for (KeyedStateHandle handle : handles) {
      if (handle instanceof IncrementalRemoteKeyedStateHandle files) {
        List<StreamStateHandle> all =
            Stream.concat(
                    Stream.of(files.getMetaDataStateHandle()),
                    Stream.of(files.getSharedState(), files.getPrivateState())
                        .flatMap(Collection::stream)
                        .map(HandleAndLocalPath::getHandle))
                .toList();
        for (StreamStateHandle file : all) {
          checkLength(file);
        }
      } else if (handle instanceof KeyGroupsStateHandle groups) {
        checkLength(groups.getDelegateStateHandle());
        boolean isCanonical = groups instanceof KeyGroupsSavepointStateHandle;
        if (!isCanonical && isToBeRead(groups)) {
          checkPages(groups, maxParallelism);
        }
      }
    }
  }

  private boolean isToBeRead(StreamStateHandle file) {
    boolean isToBeRead = file.getStateSize() <= bytesLeft;
    if (isToBeRead) {
      bytesLeft -= file.getStateSize();
    }
    return isToBeRead;
  }

  private static void checkLength(StreamStateHandle state) throws IOException {
    if (state instanceof FileStateHandle file) {
      Path path = file.getFilePath();
      long length = path.getFileSystem().getFileStatus(path).getLen();
      if (length != file.getStateSize()) {
        throw new DamagedStateException(
            "its file " + path.getName(),
            "it has %d bytes instead of %d".formatted(length, file.getStateSize()));
      }
    }
  }

  /** Verifies the ledger's pages in the format of Flink's hash map: one key group after another. */
  private static void checkPages(KeyGroupsStateHandle groups, int maxParallelism)
      throws IOException {
    try (FSDataInputStream file = groups.openInputStream()) {
      KeyedBackendSerializationProxy<?> head =
          new KeyedBackendSerializationProxy<>(WholenessCheck.class.getClassLoader());
      head.read(new DataInputViewStreamWrapper(file));
      int states = head.getStateMetaInfoSnapshots().size();
      for (Tuple2<Integer, Long> group : groups.getGroupRangeOffsets()) {
        if (group.f1 != 0) {
          file.seek(group.f1);
          require(new DataInputStream(file).readInt() == group.f0, "group " + group.f0);
          try (InputStream in = content(file, head.isUsingKeyGroupCompression())) {
            for (int state = 0; state < states; state++) {
              checkGroup(new DataInputViewStreamWrapper(in), group.f0, maxParallelism);
            }
            boolean isAtEnd = !head.isUsingKeyGroupCompression() || in.available() == 0;
            require(isAtEnd, "the end of group " + group.f0);
          }
        }
      }
    }
  }

  private static void checkGroup(DataInputViewStreamWrapper in, int group, int maxParallelism)
      throws IOException {
    require(in.readShort() == 0, "the beginning of group " + group);
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      VoidNamespaceSerializer.INSTANCE.deserialize(in);
      int key = IntSerializer.INSTANCE.deserialize(in);
      require(
          KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism) == group,
          "page " + key + " in group " + group);
      PageSerializer.check(key, in);
    }
  }

  private static void require(boolean met, String where) throws IOException {
    if (!met) {
      throw new DamagedStateException("the ledger's pages", "unexpected content at " + where);
    }
  }

  /** Returns the content of a file, in a stream that can be closed without closing the file. */
  private static InputStream content(InputStream file, boolean isCompressed) throws IOException {
    InputStream open =
        new FilterInputStream(file) {
          @Override
          public void close() {}
        };
    return isCompressed ? SavedElements.decompressed(open) : open;
  }
}
