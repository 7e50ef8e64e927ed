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
 * Properties of the run that made a checkpoint or savepoint, which decide whether another run can
 * resume from it. A property that the checkpoint lacks, such as a state that had ended, is empty.
 *
 * @param source state of the source of a data set
 * @param stream state of the source of a topic
 * @param begunEpochs number of epochs begun by the most advanced reader; 0 if unknown
 * @param model saved model
 * @param backend state backend of the ledger, if the state has a format of its own for each backend
 * @param operators uids of the operators with state; the id of an operator without a uid
 */
record SavedRun(
    Optional<EnumeratorState> source,
    Optional<StreamState> stream,
    int begunEpochs,
    Optional<SavedModel> model,
    Optional<TrainOptions.StateBackend> backend,
    List<String> operators) {

  /** Name of the state in which Flink's source operator keeps the positions of its reader. */
  static final String READER_STATE = "SourceReaderState";

  /**
   * Reads the states that a checkpoint's metadata refers to.
   *
   * @param samples has the serializers of its own states
   * @param isStream whether the samples come from a topic
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

  /**
   * Reads the state of a coordinator, in the format of Flink's source coordinator: its version, the
   * state's version, the state's length, the state.
   */
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

  /** Returns the parts of the model that the ranks have saved. */
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

  /** Returns the model, from the state of any rank, since all agree on it. */
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

  /**
   * Returns the backend of keyed state; empty for a savepoint in Flink's canonical format, which
   * fits any backend.
   */
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
