package dev.braid.job.restore;

import dev.braid.connectors.source.EnumeratorState;
import dev.braid.connectors.source.SampleSource;
import dev.braid.connectors.source.ShardSplit;
import dev.braid.connectors.stream.StreamSource;
import dev.braid.connectors.stream.StreamState;
import dev.braid.job.options.TrainOptions;
import dev.braid.run.training.TrainingJob;
import dev.braid.worker.state.ReplicaPart;
import dev.braid.worker.state.SavedModel;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.SavepointKeyedStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;

/**
 * What a checkpoint or savepoint says of the run that made it: as much as decides whether another
 * run can go on from it. What it does not say, such as a state that had ended, is empty.
 *
 * @param source what the sample source kept of its data set
 * @param stream what the source of a topic kept
 * @param begunEpochs how many epochs were begun, by the reader that was furthest; 0 if none is
 *     known
 * @param backend where the ledger was kept, if the state is in a form of that backend's own
 * @param operators the uids of those that have state; an operator without a uid is there by its id
 */
record SavedRun(
    Optional<EnumeratorState> source,
    Optional<StreamState> stream,
    int begunEpochs,
    Optional<SavedModel> model,
    Optional<TrainOptions.StateBackend> backend,
    List<String> operators) {

  /** In which Flink's source operator keeps the positions of its reader. */
  static final String READER_STATE = "SourceReaderState";

  /**
   * Reads the states that a checkpoint's metadata points to.
   *
   * @param samples knows the form of its own states
   * @param isStream whether the samples are those of a topic
   * @throws IOException if a state cannot be read
   */
  static SavedRun of(CheckpointMetadata metadata, SampleSource samples, boolean isStream)
      throws IOException {
    Optional<EnumeratorState> source = Optional.empty();
    Optional<StreamState> stream = Optional.empty();
    int begunEpochs = 0;
    Optional<SavedModel> model = Optional.empty();
    Optional<TrainOptions.StateBackend> backend = Optional.empty();
    List<String> operators = new ArrayList<>();
    for (OperatorState operator : metadata.getOperatorStates()) {
      if (hasState(operator)) {
        operators.add(operator.getOperatorUid().orElse(operator.getOperatorID().toString()));
      }
      switch (operator.getOperatorUid().orElse("")) {
        case TrainingJob.SAMPLES_UID -> {
          if (isStream) {
            stream = coordinatorState(operator, StreamSource.stateSerializer());
          } else {
            source = coordinatorState(operator, samples.getEnumeratorCheckpointSerializer());
            begunEpochs = begunEpochs(operator, samples);
          }
        }
        case TrainingJob.WORKERS_UID -> model = model(operator);
        default -> backend = backend.or(() -> backend(operator));
      }
    }
    return new SavedRun(source, stream, begunEpochs, model, backend, operators);
  }

  private static boolean hasState(OperatorState operator) {
    return operator.getCoordinatorState() != null
        || operator.getStates().stream().anyMatch(OperatorSubtaskState::hasState);
  }

  /** As Flink's source coordinator writes it: its version, the state's, the state's length. */
  private static <S> Optional<S> coordinatorState(
      OperatorState operator, SimpleVersionedSerializer<S> serializer) throws IOException {
    ByteStreamStateHandle handle = operator.getCoordinatorState();
    if (handle == null) {
      return Optional.empty();
    }
    try (DataInputStream in = new DataInputStream(handle.openInputStream())) {
      in.readInt();
      int version = in.readInt();
      byte[] state = SavedElements.bytes(in, handle.getStateSize());
      return Optional.of(serializer.deserialize(version, state));
    }
  }

  private static int begunEpochs(OperatorState operator, SampleSource samples) throws IOException {
    AtomicInteger begun = new AtomicInteger();
    for (OperatorSubtaskState reader : operator.getStates()) {
      for (OperatorStateHandle handle : reader.getManagedOperatorState()) {
        SavedElements.forEach(
            handle,
            READER_STATE,
            state -> {
              ShardSplit share =
                  SimpleVersionedSerialization.readVersionAndDeSerialize(
                      samples.getSplitSerializer(), state);
              begun.accumulateAndGet(share.nextEpoch(), Math::max);
            });
      }
    }
    return begun.get();
  }

  /** Returns what each rank has saved of the model. */
  static List<ReplicaPart> parts(CheckpointMetadata metadata) throws IOException {
    List<ReplicaPart> parts = new ArrayList<>();
    for (OperatorState operator : metadata.getOperatorStates()) {
      if (operator.getOperatorUid().equals(Optional.of(TrainingJob.WORKERS_UID))) {
        for (OperatorSubtaskState worker : operator.getStates()) {
          for (OperatorStateHandle handle : worker.getManagedOperatorState()) {
            SavedElements.forEach(
                handle, SavedModel.STATE, state -> parts.add(ReplicaPart.fromBytes(state)));
          }
        }
      }
    }
    return parts;
  }

  /** All ranks' states say the same of this. */
  private static Optional<SavedModel> model(OperatorState operator) throws IOException {
    for (OperatorSubtaskState worker : operator.getStates()) {
      for (OperatorStateHandle handle : worker.getManagedOperatorState()) {
        Optional<byte[]> part = SavedElements.first(handle, SavedModel.STATE);
        if (part.isPresent()) {
          return Optional.of(SavedModel.read(part.get()));
        }
      }
    }
    return Optional.empty();
  }

  /** A savepoint in Flink's canonical form fits any backend. */
  private static Optional<TrainOptions.StateBackend> backend(OperatorState operator) {
    for (OperatorSubtaskState subtask : operator.getStates()) {
      for (KeyedStateHandle handle : subtask.getManagedKeyedState()) {
        if (handle instanceof IncrementalKeyedStateHandle) {
          return Optional.of(TrainOptions.StateBackend.ROCKSDB);
        }
        if (handle instanceof KeyGroupsStateHandle
            && !(handle instanceof SavepointKeyedStateHandle)) {
          return Optional.of(TrainOptions.StateBackend.HASHMAP);
        }
      }
    }
    return Optional.empty();
  }
}
