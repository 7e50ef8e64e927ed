package dev.braid.job.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.connectors.source.EnumeratorState;
import dev.braid.connectors.source.SampleSource;
import dev.braid.connectors.source.ShardSplit;
import dev.braid.exchange.state.StateFormat;
import dev.braid.exchange.state.StateKind;
import dev.braid.job.console.Terminal;
import dev.braid.job.console.UsageException;
import dev.braid.job.engine.TrainingJob;
import dev.braid.job.options.TrainOptions;
import dev.braid.job.train.TrainArguments;
import dev.braid.learner.Shape;
import dev.braid.learner.math.MathChoice;
import dev.braid.learner.network.Models;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.ledger.PageSerializer;
import dev.braid.worker.state.SavedModel;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.execution.SavepointFormatType;
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
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.assertj.core.api.InstanceOfAssertFactories;
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
  void ranksAreNoMoreThanFlinkDealsItsStateTo() throws IOException {
    OperatorState workers =
        new OperatorState("Worker", TrainingJob.WORKERS_UID, new OperatorID(1, 3), 4, 128);
    write(List.of(workers));
    assertThatCode(() -> check("--workers", "128")).doesNotThrowAnyException();
    assertThatThrownBy(() -> check("--workers", "128", "--exchange", "ps", "--servers", "1"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "--restore "
                + checkpoint
                + ": made for 128 workers and servers at most, and not for 129");
  }

  @Test
  void theBackendIsToldByTheKindOfState() throws IOException {
    write(List.of(ledger(ofRocksdb())));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .hasMessageContaining("made with --state-backend rocksdb, and not hashmap");
    // What Flink calls canonical fits all.
    write(List.of(ledger(new KeyGroupsSavepointStateHandle(offsets(), pages()))));
    assertThatCode(() -> check("--epochs", "4")).doesNotThrowAnyException();
  }

  @Test
  void namesAnotherModelOrUpdater() {
    TrainOptions options = options();
    RestoreCheck check = new RestoreCheck(options, "CHK");
    int parameters = trained("sgd").learner().length();
    assertThatCode(() -> check.checkModel(saved(parameters, 0), trained("sgd")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check.checkModel(saved(1_234_567, 0), trained("sgd")))
        .hasMessage(
            "--restore CHK: made with a model of 1,234,567 parameters, and --model mlp has 21 on"
                + " --data mnist");
    SavedModel rmsprop =
        new SavedModel(
            parameters, 1, new StateFormat("ring", List.of()), "", "rmsprop, learning rate 0.1");
    assertThatThrownBy(() -> check.checkModel(rmsprop, trained("momentum")))
        .hasMessage("--restore CHK: made with --updater rmsprop, and not momentum");
  }

  /** Both runs had {@code --updater momentum}, as is the default. */
  @Test
  void saysWhereTheMomentumWas() {
    int parameters = trained("sgd").learner().length();
    TrainOptions dgc = options("--compress", "dgc");
    SavedModel ofDgc = saved(parameters, 0, dgc.exchange().stateFormat(dgc.exchangeOptions()));
    assertThatThrownBy(
            () -> new RestoreCheck(options(), "CHK").checkModel(ofDgc, trained("momentum")))
        .hasMessage(
            "--restore CHK: made with --updater sgd, and not momentum: its workers had the momentum;"
                + " --compress dgc, or --updater sgd to go on without, is needed");
    SavedModel plain =
        new SavedModel(
            parameters, 1, new StateFormat("ring", List.of()), "", "momentum, learning rate 0.1");
    assertThatThrownBy(() -> new RestoreCheck(dgc, "CHK").checkModel(plain, trained("sgd")))
        .hasMessage(
            "--restore CHK: made with --updater momentum, and not sgd: with --compress dgc workers"
                + " have the momentum; another --compress is needed");
  }

  private static SavedModel saved(int parameters, int updaterVectors) {
    return saved(parameters, updaterVectors, new StateFormat("ring", List.of()));
  }

  private static SavedModel saved(int parameters, int updaterVectors, StateFormat format) {
    return new SavedModel(
        parameters, updaterVectors, format, "the only replica", "sgd, learning rate 0.1");
  }

  @Test
  void anotherVersionOfAnExchangesStateIsNamed_butIsNothingToOtherExchanges() {
    RestoreCheck check = new RestoreCheck(options("--exchange", "gossip"), "CHK");
    List<StateKind> others = List.of(StateKind.ofTheseRanks("clocks", 9));
    int parameters = trained("sgd").learner().length();
    assertThatThrownBy(
            () ->
                check.checkModel(
                    saved(parameters, 0, new StateFormat("gossip", others)), trained("sgd")))
        .hasMessage(
            "--restore CHK: the state 'clocks' of exchange gossip is in version 9 of its format: this"
                + " Braid reads version 1");
    assertThatCode(
            () ->
                check.checkModel(
                    saved(parameters, 0, new StateFormat("braided", others)), trained("sgd")))
        .doesNotThrowAnyException();
  }

  /** The same number of samples, of other classes: positions would mean something else. */
  @Test
  void otherClassesOrColumnsAreNamed() throws IOException {
    write(List.of(samples(3, 4)));
    TrainOptions run = options("--restore", checkpoint.toString());
    SampleSource other =
        new SampleSource(options("--classes", "11").data().check().location(), SAMPLES, 1, 10, 100);
    assertThatThrownBy(
            () -> RestoreCheck.check(run, other, SAMPLES, trained("sgd"), Optional.empty()))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(
            "made with other classes or columns, or columns or images scaled otherwise");
  }

  @Test
  void statesOfAnotherVersionAreNamed() throws IOException {
    write(List.of(samples(9, new int[] {3, 4})));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("the sample source is in version 9 of its format")
        .hasMessageContaining("reads 3");
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(state);
    out.writeInt(0x42524149);
    out.writeInt(4);
    write(List.of(workers(state.toByteArray())));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("the workers' state is in version 4 of its format")
        .hasMessageContaining("reads version 11");
  }

  @Test
  void aDamagedCheckpointIsNamed() throws IOException {
    Path metadata = checkpoint.resolve("_metadata");
    byte[] whole = Files.readAllBytes(metadata);
    List<byte[]> damaged = new ArrayList<>();
    for (int length = 0; length < whole.length; length += 31) {
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

  /** As may be where it is on the disks of a cluster. */
  @Test
  void whereACheckpointCannotBeReadTheUserIsTold() {
    RestoreCheck.Changes changes =
        RestoreCheck.check(
            options("--restore", "/not here/chk-5"),
            source(),
            SAMPLES,
            trained("sgd"),
            Optional.empty());
    assertThat(changes.sentences())
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("cannot be read from here");
    assertThat(changes.dropsEvents()).isFalse();
  }

  /** What Flink writes of a checkpoint or savepoint besides its states is a Java object. */
  @Test
  void noOtherObjectIsReadThanFlinkWrites() throws IOException {
    for (CheckpointProperties properties :
        List.of(
            CheckpointProperties.forCheckpoint(CheckpointRetentionPolicy.RETAIN_ON_CANCELLATION),
            CheckpointProperties.forSavepoint(true, SavepointFormatType.NATIVE),
            CheckpointProperties.forSyncSavepoint(true, true, SavepointFormatType.CANONICAL))) {
      write(List.of(samples(3, 4), ledger(inMemory())), properties);
      assertThatCode(() -> check("--epochs", "4")).doesNotThrowAnyException();
    }
    Path metadata = checkpoint.resolve("_metadata");
    byte[] whole = Files.readAllBytes(metadata);
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
      Files.write(metadata, hostile.toByteArray());
      try {
        check("--epochs", "4");
      } catch (UsageException e) {
        assertThat(e).hasMessageContaining("its file _metadata");
      }
      assertThat(footprint).doesNotExist();
      assertThatThrownBy(() -> check("--epochs", "4"))
          .isInstanceOf(UsageException.class)
          .hasMessageStartingWith("--restore " + checkpoint + ": its file _metadata has an object")
          .message()
          .hasLineCount(1);
    }
  }

  /** Runs code when it is deserialised: it makes a file. */
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

  /** Flink asks for as much memory as is written there. */
  @Test
  void aLengthThatIsForgedIsNamed() throws IOException {
    Path metadata = checkpoint.resolve("_metadata");
    byte[] whole = Files.readAllBytes(metadata);
    for (int at = 8; at < whole.length - Integer.BYTES; at += 31) {
      byte[] forged = whole.clone();
      ByteBuffer.wrap(forged).putInt(at, Integer.MAX_VALUE);
      Files.write(metadata, forged);
      try {
        check("--epochs", "4");
      } catch (UsageException e) {
        assertThat(e).hasMessageStartingWith("--restore " + checkpoint + ": ");
      }
    }
  }

  /** As much memory would be asked for at once. */
  @Test
  void aCompressedBlockOfAForgedLengthIsDamage() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.write(WrittenState.compressedHead(SavedModel.STATE));
    int offset = file.size();
    // A frame of 9 bytes, of which 4 are a checksum, and a length of 2^31 - 1 in the others.
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
            checkpoint,
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
    write(List.of(operator));
    assertThatThrownBy(() -> check("--epochs", "4"))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--restore " + checkpoint + ": a part of it is missing or damaged")
        .message()
        .hasLineCount(1);
  }

  private void check(String... options) throws IOException {
    check(SAMPLES, "sgd", options);
  }

  private void check(int samples, String updater, String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("--restore", checkpoint.toString()));
    words.addAll(List.of(options));
    TrainOptions run = options(words.toArray(String[]::new));
    RestoreCheck.check(run, source(), samples, trained(updater), Optional.empty());
  }

  private static TrainOptions options(String... words) {
    Terminal nowhere =
        new Terminal(
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
            false,
            false,
            () -> 80);
    return TrainArguments.of(List.of(words), nowhere).options();
  }

  private static TrainedModel trained(String updater) {
    return new TrainedModel(
        Models.of("logistic", SHAPE, 1),
        SHAPE,
        Optimiser.of(UpdaterSpec.of(updater, OptionalDouble.empty())),
        new EpochSteps(SAMPLES, 100, false),
        MathChoice.PORTABLE);
  }

  private static SampleSource source() {
    return new SampleSource(options().data(), SAMPLES, 1, 10, 100);
  }

  // ---- a checkpoint as Flink writes it ---------------------------------------------------------

  private void write(List<OperatorState> operators) throws IOException {
    write(
        operators,
        CheckpointProperties.forCheckpoint(CheckpointRetentionPolicy.RETAIN_ON_CANCELLATION));
  }

  private void write(List<OperatorState> operators, CheckpointProperties properties)
      throws IOException {
    try (OutputStream out = Files.newOutputStream(checkpoint.resolve("_metadata"))) {
      Checkpoints.storeCheckpointMetadata(
          new CheckpointMetadata(5, operators, List.of(), properties), out);
    }
  }

  private static OperatorState samples(int... begunEpochs) throws IOException {
    return samples(source().getEnumeratorCheckpointSerializer().getVersion(), begunEpochs);
  }

  private static OperatorState samples(int version, int[] begunEpochs) throws IOException {
    OperatorState operator = new OperatorState("Samples", "samples", new OperatorID(1, 1), 2, 128);
    byte[] state =
        source()
            .getEnumeratorCheckpointSerializer()
            .serialize(new EnumeratorState(SAMPLES, source().fresh().data(), 1, true, "ring"));
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
              source().getSplitSerializer(), split);
      operator.putState(i, listState("SourceReaderState", position));
    }
    return operator;
  }

  private static OperatorState workers(byte[] part) throws IOException {
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

  private static OperatorState ledger(KeyedStateHandle state) {
    OperatorState operator = new OperatorState("Ledger", "ledger", new OperatorID(1, 2), 1, 128);
    operator.putState(
        0,
        OperatorSubtaskState.builder()
            .setManagedKeyedState(StateObjectCollection.singleton(state))
            .build());
    return operator;
  }

  private static KeyedStateHandle inMemory() throws IOException {
    return new KeyGroupsStateHandle(offsets(), pages());
  }

  private static KeyedStateHandle ofRocksdb() throws IOException {
    return new IncrementalRemoteKeyedStateHandle(
        UUID.randomUUID(), KEYS, 5, List.of(), List.of(), pages());
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
