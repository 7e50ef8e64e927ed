package dev.braid.job.restore;

import dev.braid.connectors.source.EnumeratorState;
import dev.braid.connectors.source.ShardSplit;
import dev.braid.ledger.PageSerializer;
import dev.braid.run.training.TrainingJob;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.state.SavedModel;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.CheckpointRetentionPolicy;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;

/**
 * A checkpoint as Flink writes it, with states that a test chooses.
 *
 * @param folder of the checkpoint
 */
record WrittenCheckpoint(Path folder) {

  private static final KeyGroupRange KEYS = KeyGroupRange.of(0, 127);

  /** Writes a checkpoint of two readers, in epochs 3 and 4, and a ledger in memory. */
  static WrittenCheckpoint in(Path parent) throws IOException {
    WrittenCheckpoint checkpoint =
        new WrittenCheckpoint(Files.createDirectories(parent.resolve("job/chk-5")));
    checkpoint.write(List.of(samples(3, 4), ledger(inMemory())));
    return checkpoint;
  }

  /** Returns the file that Flink reads first. */
  Path metadata() {
    return folder.resolve("_metadata");
  }

  void write(List<OperatorState> operators) throws IOException {
    write(
        operators,
        CheckpointProperties.forCheckpoint(CheckpointRetentionPolicy.RETAIN_ON_CANCELLATION));
  }

  void write(List<OperatorState> operators, CheckpointProperties properties) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Checkpoints.storeCheckpointMetadata(
        new CheckpointMetadata(5, operators, List.of(), properties), out);
    Files.write(metadata(), StateChecksum.sealed(out.toByteArray()));
  }

  static OperatorState samples(int... begunEpochs) throws IOException {
    return samples(
        RestoringRun.source().getEnumeratorCheckpointSerializer().getVersion(), begunEpochs);
  }

  static OperatorState samples(int version, int[] begunEpochs) throws IOException {
    OperatorState operator = new OperatorState("Samples", "samples", new OperatorID(1, 1), 2, 128);
    byte[] state =
        RestoringRun.source()
            .getEnumeratorCheckpointSerializer()
            .serialize(
                new EnumeratorState(
                    RestoringRun.SAMPLES,
                    0,
                    RestoringRun.source().fresh().data(),
                    1,
                    true,
                    "ring",
                    ""));
    ByteArrayOutputStream coordinator = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(coordinator);
    out.writeInt(1);
    out.writeInt(version);
    out.writeInt(state.length);
    out.write(state);
    operator.setCoordinatorState(bytes(coordinator.toByteArray()));
    for (int i = 0; i < begunEpochs.length; i++) {
      ShardSplit split = new ShardSplit(i, begunEpochs.length, 100, List.of(), begunEpochs[i]);
      byte[] position =
          SimpleVersionedSerialization.writeVersionAndSerialize(
              RestoringRun.source().getSplitSerializer(), split);
      operator.putState(i, listState("SourceReaderState", position));
    }
    return operator;
  }

  static OperatorState workers(byte[] part) throws IOException {
    OperatorState operator =
        new OperatorState("Worker", TrainingJob.WORKERS_UID, new OperatorID(1, 3), 1, 128);
    operator.putState(0, listState(SavedModel.STATE, part));
    return operator;
  }

  private static OperatorSubtaskState listState(String name, byte[] state) throws IOException {
    return OperatorSubtaskState.builder()
        .setManagedOperatorState(StateObjectCollection.singleton(WrittenState.list(name, state)))
        .build();
  }

  static OperatorState ledger(KeyedStateHandle state) {
    OperatorState operator = new OperatorState("Ledger", "ledger", new OperatorID(1, 2), 1, 128);
    operator.putState(
        0,
        OperatorSubtaskState.builder()
            .setManagedKeyedState(StateObjectCollection.singleton(state))
            .build());
    return operator;
  }

  static KeyedStateHandle inMemory() throws IOException {
    return new KeyGroupsStateHandle(offsets(), pages());
  }

  static KeyedStateHandle ofRocksdb() throws IOException {
    return new IncrementalRemoteKeyedStateHandle(
        UUID.randomUUID(), KEYS, 5, List.of(), List.of(), pages());
  }

  /** Returns a state in Flink's canonical format. */
  static KeyedStateHandle canonical() throws IOException {
    return new KeyGroupsSavepointStateHandle(offsets(), pages());
  }

  private static StreamStateHandle pages() throws IOException {
    return WrittenState.inline(WrittenState.pages(IntSerializer.INSTANCE, new PageSerializer()));
  }

  private static KeyGroupRangeOffsets offsets() {
    return new KeyGroupRangeOffsets(KEYS);
  }

  private static ByteStreamStateHandle bytes(byte[] content) {
    return new ByteStreamStateHandle("state", content);
  }
}
