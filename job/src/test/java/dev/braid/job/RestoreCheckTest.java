package dev.braid.job;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.EnumeratorState;
import dev.braid.connectors.SampleSource;
import dev.braid.connectors.ShardSplit;
import dev.braid.learner.ModelSpec;
import dev.braid.learner.Shape;
import dev.braid.learner.UpdaterSpec;
import dev.braid.worker.SavedModel;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.UUID;
import org.apache.flink.core.io.SimpleVersionedSerialization;
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
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestoreCheckTest {

  private static final int SAMPLES = 60_000;
  private static final Shape SHAPE = Shape.rows(6, 3);
  private static final KeyGroupRange KEYS = KeyGroupRange.of(0, 127);

  @TempDir private Path folder;

  private Path checkpoint;

  /** Two readers, the one in epoch 3 and the other in epoch 4; a ledger in memory. */
  @BeforeEach
  void writeCheckpoint() throws IOException {
    checkpoint = Files.createDirectories(folder.resolve("job/chk-5"));
    write(List.of(samples(3, 4), ledger(inMemory())));
  }

  @Test
  void aCheckpointThatFitsIsRestored() {
    assertThatCode(() -> check("--epochs", "4")).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--epochs 3               | is in epoch 4 already, and --epochs is 3: 4 or more is needed",
        "--seed 2                 | made with --seed 1, and not 2",
        "--state-backend rocksdb  | made with --state-backend hashmap, and not rocksdb",
      })
  void namesWhatDoesNotFit(String options, String message) {
    assertThatThrownBy(() -> check(options.split(" ")))
        .isInstanceOf(UsageException.class)
        .hasMessage("--restore " + checkpoint + ": " + message);
  }

  @Test
  void namesOtherData() throws IOException {
    assertThatThrownBy(() -> check(SAMPLES - 1, "sgd"))
        .hasMessageContaining("made with 60,000 training samples, and --data mnist has 59,999");
  }

  @Test
  void theBackendIsToldByTheKindOfState() throws IOException {
    write(List.of(ledger(ofRocksdb())));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .hasMessageContaining("made with --state-backend rocksdb, and not hashmap");
    // What Flink calls canonical fits all.
    write(List.of(ledger(new KeyGroupsSavepointStateHandle(offsets(), bytes(new byte[9])))));
    assertThatCode(() -> check("--epochs", "4")).doesNotThrowAnyException();
  }

  @Test
  void namesAnotherModelOrUpdater() {
    TrainOptions options = options();
    RestoreCheck check = new RestoreCheck(options, "CHK");
    int parameters = trained("sgd").learner().length();
    assertThatCode(() -> check.checkModel(new SavedModel(parameters, 0), trained("sgd")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check.checkModel(new SavedModel(1_234_567, 0), trained("sgd")))
        .hasMessage(
            "--restore CHK: made with a model of 1,234,567 parameters, and --model mlp has 21 on"
                + " --data mnist");
    assertThatThrownBy(() -> check.checkModel(new SavedModel(parameters, 1), trained("adam")))
        .hasMessage("--restore CHK: made with --updater momentum, and not adam");
  }

  @Test
  void aDamagedCheckpointIsNamed() throws IOException {
    Path metadata = checkpoint.resolve("_metadata");
    byte[] whole = Files.readAllBytes(metadata);
    List<byte[]> damaged = new ArrayList<>();
    for (int length = 0; length < whole.length; length += 7) {
      damaged.add(Arrays.copyOf(whole, length));
    }
    damaged.add("nonsense that is longer than a header".getBytes(StandardCharsets.UTF_8));
    for (byte[] bytes : damaged) {
      Files.write(metadata, bytes);
      assertThatThrownBy(() -> check("--epochs", "4"))
          .as("%d bytes", bytes.length)
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("--restore " + checkpoint + ": ")
          .hasMessageContaining("damaged");
    }
  }

  private void check(String... options) throws IOException {
    check(SAMPLES, "sgd", options);
  }

  private void check(int samples, String updater, String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("--restore", checkpoint.toString()));
    words.addAll(List.of(options));
    TrainOptions run = options(words.toArray(String[]::new));
    RestoreCheck.check(run, source(), samples, trained(updater));
  }

  private static TrainOptions options(String... words) {
    Terminal nowhere =
        new Terminal(
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
            false,
            false,
            80);
    return TrainArguments.of(List.of(words), nowhere).options();
  }

  private static TrainedModel trained(String updater) {
    return new TrainedModel(
        ModelSpec.of("logistic", SHAPE, 1), SHAPE, UpdaterSpec.of(updater, OptionalDouble.empty()));
  }

  private static SampleSource source() {
    return new SampleSource(options().data(), SAMPLES, 1, 10, 100);
  }

  // ---- a checkpoint as Flink writes it ---------------------------------------------------------

  private void write(List<OperatorState> operators) throws IOException {
    try (OutputStream out = Files.newOutputStream(checkpoint.resolve("_metadata"))) {
      Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(5, operators, List.of()), out);
    }
  }

  private static OperatorState samples(int... begunEpochs) throws IOException {
    OperatorState operator = new OperatorState("Samples", "samples", new OperatorID(1, 1), 2, 128);
    byte[] state =
        source()
            .getEnumeratorCheckpointSerializer()
            .serialize(new EnumeratorState(SAMPLES, 1, true));
    ByteArrayOutputStream coordinator = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(coordinator);
    out.writeInt(1);
    out.writeInt(source().getEnumeratorCheckpointSerializer().getVersion());
    out.writeInt(state.length);
    out.write(state);
    operator.setCoordinatorState(bytes(coordinator.toByteArray()));
    for (int i = 0; i < begunEpochs.length; i++) {
      ShardSplit split = new ShardSplit(i, begunEpochs.length, 100, List.of(), begunEpochs[i]);
      byte[] position =
          SimpleVersionedSerialization.writeVersionAndSerialize(
              source().getSplitSerializer(), split);
      ByteArrayOutputStream element = new ByteArrayOutputStream();
      new DataOutputStream(element).writeInt(position.length);
      element.write(position);
      OperatorStateHandle handle =
          new OperatorStreamStateHandle(
              Map.of(
                  "SourceReaderState",
                  new OperatorStateHandle.StateMetaInfo(
                      new long[] {0}, OperatorStateHandle.Mode.SPLIT_DISTRIBUTE)),
              bytes(element.toByteArray()));
      operator.putState(
          i,
          OperatorSubtaskState.builder()
              .setManagedOperatorState(StateObjectCollection.singleton(handle))
              .build());
    }
    return operator;
  }

  private static OperatorState ledger(KeyedStateHandle state) {
    OperatorState operator = new OperatorState("Ledger", "ledger", new OperatorID(1, 2), 1, 128);
    operator.putState(
        0,
        OperatorSubtaskState.builder()
            .setManagedKeyedState(StateObjectCollection.singleton(state))
            .build());
    return operator;
  }

  private static KeyedStateHandle inMemory() {
    return new KeyGroupsStateHandle(offsets(), bytes(new byte[9]));
  }

  private static KeyedStateHandle ofRocksdb() {
    return new IncrementalRemoteKeyedStateHandle(
        UUID.randomUUID(), KEYS, 5, List.of(), List.of(), bytes(new byte[9]));
  }

  private static KeyGroupRangeOffsets offsets() {
    return new KeyGroupRangeOffsets(KEYS);
  }

  private static ByteStreamStateHandle bytes(byte[] content) {
    return new ByteStreamStateHandle("state", content);
  }
}
