package dev.braid.job.engine;

import dev.braid.wire.StateChecksum;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointMetadataOutputStream;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStorage;
import org.apache.flink.runtime.state.CheckpointStorageAccess;
import org.apache.flink.runtime.state.CheckpointStorageFactory;
import org.apache.flink.runtime.state.CheckpointStorageLocation;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStorageAccess;
import org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage;

/**
 * Flink's checkpoints in files, with a checksum at the end of each file {@code _metadata}. That
 * file has the places and divisions of all state, and contains small state and that of
 * coordinators. Flink itself would not notice a changed bit in it. Flink's reader does not read
 * past the end of its own data, so the checksum does not disturb it.
 */
public final class SealedStorage implements CheckpointStorage {

  private static final long serialVersionUID = 1L;

  private final FileSystemCheckpointStorage files;
  private final boolean hasFolderForEachJob;

  private SealedStorage(FileSystemCheckpointStorage files, boolean hasFolderForEachJob) {
    this.files = files;
    this.hasFolderForEachJob = hasFolderForEachJob;
  }

  /** Factory of the storage that a job is configured to use. */
  public static final class Factory implements CheckpointStorageFactory<SealedStorage> {
    @Override
    public SealedStorage createFromConfig(ReadableConfig config, ClassLoader classes) {
      return new SealedStorage(
          FileSystemCheckpointStorage.createFromConfig(config, classes),
          config.get(CheckpointingOptions.CREATE_CHECKPOINT_SUB_DIR));
    }
  }

  /** Configures a job to store its checkpoints with checksums. */
  public static void set(Configuration settings) {
    settings.set(CheckpointingOptions.CHECKPOINT_STORAGE, Factory.class.getName());
  }

  /**
   * Reads a whole file {@code _metadata} and verifies its checksum.
   *
   * @return the part that Flink has written
   * @throws IOException if it cannot be read, or its checksum is missing or wrong
   */
  public static InputStream open(StreamStateHandle metadata) throws IOException {
    try (InputStream in = metadata.openInputStream()) {
      return StateChecksum.open("the file _metadata", in.readAllBytes());
    }
  }

  @Override
  public CompletedCheckpointStorageLocation resolveCheckpoint(String pointer) throws IOException {
    CompletedCheckpointStorageLocation location = files.resolveCheckpoint(pointer);
    open(location.getMetadataHandle()).close();
    return location;
  }

  @Override
  public CheckpointStorageAccess createCheckpointStorage(JobID job) throws IOException {
    return new Access(files, hasFolderForEachJob, job);
  }

  /** Access to a job's checkpoints, which verifies their metadata. */
  private static final class Access extends FsCheckpointStorageAccess {

    Access(FileSystemCheckpointStorage files, boolean hasFolderForEachJob, JobID job)
        throws IOException {
      super(
          files.getCheckpointPath(),
          files.getSavepointPath(),
          hasFolderForEachJob,
          job,
          files.getMinFileSizeThreshold(),
          files.getWriteBufferSize());
    }

    @Override
    public CompletedCheckpointStorageLocation resolveCheckpoint(String pointer) throws IOException {
      CompletedCheckpointStorageLocation location = super.resolveCheckpoint(pointer);
      open(location.getMetadataHandle()).close();
      return location;
    }

    @Override
    public CheckpointStorageLocation initializeLocationForCheckpoint(long checkpoint)
        throws IOException {
      return new Location(super.initializeLocationForCheckpoint(checkpoint));
    }

    @Override
    protected CheckpointStorageLocation createSavepointLocation(FileSystem system, Path folder) {
      return new Location(super.createSavepointLocation(system, folder));
    }
  }

  /** Location of a checkpoint that is being written. */
  private record Location(CheckpointStorageLocation files) implements CheckpointStorageLocation {

    @Override
    public CheckpointMetadataOutputStream createMetadataOutputStream() throws IOException {
      return new SealedOutput(files.createMetadataOutputStream());
    }

    @Override
    public void disposeOnFailure() throws IOException {
      files.disposeOnFailure();
    }

    @Override
    public CheckpointStorageLocationReference getLocationReference() {
      return files.getLocationReference();
    }

    @Override
    public CheckpointStateOutputStream createCheckpointStateOutputStream(
        CheckpointedStateScope scope) throws IOException {
      return files.createCheckpointStateOutputStream(scope);
    }

    @Override
    public boolean canFastDuplicate(StreamStateHandle handle, CheckpointedStateScope scope)
        throws IOException {
      return files.canFastDuplicate(handle, scope);
    }

    @Override
    public List<StreamStateHandle> duplicate(
        List<StreamStateHandle> handles, CheckpointedStateScope scope) throws IOException {
      return files.duplicate(handles, scope);
    }
  }

  /** Output that appends the checksum of all its bytes when the checkpoint is complete. */
  private static final class SealedOutput extends CheckpointMetadataOutputStream {

    private final CheckpointMetadataOutputStream file;
    private final CRC32C sum = new CRC32C();

    SealedOutput(CheckpointMetadataOutputStream file) {
      this.file = file;
    }

    @Override
    public void write(int value) throws IOException {
      sum.update(value);
      file.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      sum.update(bytes, offset, length);
      file.write(bytes, offset, length);
    }

    @Override
    public CompletedCheckpointStorageLocation closeAndFinalizeCheckpoint() throws IOException {
      new DataOutputStream(file).writeInt((int) sum.getValue());
      return file.closeAndFinalizeCheckpoint();
    }

    @Override
    public long getPos() throws IOException {
      return file.getPos();
    }

    @Override
    public void flush() throws IOException {
      file.flush();
    }

    @Override
    public void sync() throws IOException {
      file.sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
