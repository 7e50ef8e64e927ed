package dev.braid.job.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.job.Main;
import dev.braid.job.console.Terminal;
import dev.braid.ledger.LedgerSummary;
import dev.braid.ledger.PageSerializer;
import dev.braid.wire.StateChecksum;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.CheckpointRetentionPolicy;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filemerging.DirectoryStreamStateHandle;
import org.apache.flink.runtime.state.filemerging.EmptyFileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Foreign checkpoints whose state files would make Flink read Java objects. */
class StateFilesCheckTest {

  private static final KeyGroupRange KEYS = KeyGroupRange.of(0, 127);
  private static final String KRYO =
      "org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializerSnapshot";

  @TempDir private Path folder;

  /** Object that runs code when it is deserialised: it creates a file. */
  @SuppressWarnings("serial") // only used in this process
  private static final class Trap extends RuntimeException {

    private final String footprint;

    Trap(Path footprint) {
      this.footprint = footprint.toString();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      Files.createFile(Path.of(footprint));
    }
  }

  private static <T> TypeSerializer<T> kryo(Class<T> type) {
    return new KryoSerializer<>(type, new SerializerConfigImpl());
  }

  private OperatorStateHandle trap() throws IOException {
    TypeSerializer<Object> kryo = kryo(Object.class);
    byte[] whole = WrittenState.list("replica", kryo, new Trap(footprint()));
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    kryo.serialize(new Trap(footprint()), new DataOutputViewStreamWrapper(value));
    return WrittenState.at(
        "replica", whole.length - value.size(), WrittenState.beside(folder, whole));
  }

  private Path footprint() {
    return folder.resolve("footprint");
  }

  /** Otherwise the other tests would prove nothing. */
  @Test
  void flinkWouldRunTheTrap() throws Exception {
    ExecutionConfig config = new ExecutionConfig();
    ((SerializerConfigImpl) config.getSerializerConfig()).setGenericTypes(false);
    try (CloseableRegistry registry = new CloseableRegistry()) {
      new DefaultOperatorStateBackendBuilder(
              getClass().getClassLoader(), config, false, List.of(trap()), registry)
          .build()
          .dispose();
    }
    assertThat(footprint()).exists();
  }

  @Test
  void aHostileStateOfAnOperatorIsRefused() throws IOException {
    assertThat(StateFilesCheck.stranger(checkpoint(of(trap()))))
        .contains("the state of 'samples' has a form that Braid does not write, " + KRYO);
    assertThat(footprint()).doesNotExist();
  }

  /** The hostile class is that of keys or of values, in all forms of keyed state. */
  @ParameterizedTest
  @MethodSource("hostilePages")
  void aHostileStateByKeysIsRefused(byte[] pages) throws IOException {
    for (KeyedStateHandle keyed : keyed(WrittenState.beside(folder, pages))) {
      assertThat(StateFilesCheck.stranger(checkpoint(of(keyed))))
          .as("%s", keyed)
          .contains("the state of 'samples' has a form that Braid does not write, " + KRYO);
    }
  }

  static Stream<byte[]> hostilePages() throws IOException {
    return Stream.of(
        WrittenState.pages(kryo(Object.class), new PageSerializer()),
        WrittenState.pages(IntSerializer.INSTANCE, kryo(Object.class)));
  }

  private static List<KeyedStateHandle> keyed(StreamStateHandle file) {
    KeyGroupRangeOffsets offsets = new KeyGroupRangeOffsets(KEYS);
    return List.of(
        new KeyGroupsStateHandle(offsets, file),
        new KeyGroupsSavepointStateHandle(offsets, file),
        rocksdb(file, "000012.sst"));
  }

  private static KeyedStateHandle rocksdb(StreamStateHandle meta, String localPath) {
    HandleAndLocalPath file = HandleAndLocalPath.of(WrittenState.inline(new byte[] {1}), localPath);
    return new IncrementalRemoteKeyedStateHandle(
        UUID.randomUUID(), KEYS, 5, List.of(file), List.of(), meta);
  }

  /**
   * Neither serializers of containers are accepted, nor Flink's for records, which look for classes
   * by name.
   */
  @Test
  void formsThatNameClassesAreRefused() throws IOException {
    List<TypeSerializer<?>> forms =
        List.of(
            new ListSerializer<>(kryo(Object.class)),
            TypeInformation.of(LedgerSummary.class).createSerializer(new SerializerConfigImpl()));
    for (TypeSerializer<?> form : forms) {
      StreamStateHandle pages =
          WrittenState.inline(WrittenState.pages(IntSerializer.INSTANCE, form));
      assertThat(
              StateFilesCheck.stranger(
                  checkpoint(of(new KeyGroupsStateHandle(new KeyGroupRangeOffsets(KEYS), pages)))))
          .get()
          .asString()
          .endsWith(form.snapshotConfiguration().getClass().getName());
    }
  }

  @Test
  void braidsOwnStatesAreKnown() throws IOException {
    assertThat(
            StateFilesCheck.stranger(checkpoint(of(WrittenState.list("replica", new byte[100])))))
        .isEmpty();
    StreamStateHandle pages =
        WrittenState.inline(WrittenState.pages(IntSerializer.INSTANCE, new PageSerializer()));
    for (KeyedStateHandle keyed : keyed(pages)) {
      assertThat(StateFilesCheck.stranger(checkpoint(of(keyed)))).as("%s", keyed).isEmpty();
    }
  }

  /** Flink writes RocksDB's files below its own folder, by the names in the checkpoint. */
  @Test
  void aFileThatWouldBeWrittenElsewhereIsRefused() throws IOException {
    StreamStateHandle pages =
        WrittenState.inline(WrittenState.pages(IntSerializer.INSTANCE, new PageSerializer()));
    for (String path : List.of("../../.bashrc", "/etc/cron.d/x", "..", ".", "a\\..\\b", "")) {
      assertThat(StateFilesCheck.stranger(checkpoint(of(rocksdb(pages, path)))))
          .contains("the state of 'samples' has a file of RocksDB that would go to '" + path + "'");
    }
  }

  /** Flink has empty files when it merges many states into one file. */
  @Test
  void anEmptyFileIsNotRead() throws IOException {
    DirectoryStreamStateHandle nowhere =
        DirectoryStreamStateHandle.of(new org.apache.flink.core.fs.Path("file:///nowhere"));
    assertThat(
            StateFilesCheck.stranger(
                checkpoint(of(EmptyFileMergingOperatorStreamStateHandle.create(nowhere, nowhere)))))
        .isEmpty();
  }

  @Test
  void rawBytesAreRefused() throws IOException {
    OperatorSubtaskState raw =
        OperatorSubtaskState.builder()
            .setRawOperatorState(
                StateObjectCollection.singleton(WrittenState.list("raw", new byte[3])))
            .build();
    assertThat(StateFilesCheck.stranger(checkpoint(raw)))
        .contains("the state of 'samples' has raw bytes");
  }

  /** Reading stops after the relevant beginning of a large file. */
  @Test
  void onlyTheBeginningIsRead() throws IOException {
    byte[] beginning = WrittenState.pages(IntSerializer.INSTANCE, new PageSerializer());
    CountedFile file = new CountedFile(Arrays.copyOf(beginning, 10_000_000));
    assertThat(
            StateFilesCheck.stranger(
                checkpoint(of(new KeyGroupsStateHandle(new KeyGroupRangeOffsets(KEYS), file)))))
        .isEmpty();
    assertThat(file.bytesRead).isBetween((long) beginning.length, 1L << 17);
  }

  @Test
  void aBeginningThatIsDamagedIsNamed() throws IOException {
    byte[] whole = WrittenState.pages(IntSerializer.INSTANCE, new PageSerializer());
    List<byte[]> damaged = new ArrayList<>();
    for (int length = 0; length < whole.length; length += 7) {
      damaged.add(Arrays.copyOf(whole, length));
    }
    for (byte[] bytes : damaged) {
      StreamStateHandle file = WrittenState.inline(bytes);
      assertThatThrownBy(
              () ->
                  StateFilesCheck.stranger(
                      checkpoint(
                          of(new KeyGroupsStateHandle(new KeyGroupRangeOffsets(KEYS), file)))))
          .as("%d bytes", bytes.length)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is cut off or damaged");
    }
  }

  /** The command shows the error as a user sees it. */
  @Test
  void aRunIsRefused_inOneLine_beforeAnythingIsRead() throws IOException {
    Path checkpoint = Files.createDirectories(folder.resolve("job/chk-5"));
    ByteArrayOutputStream metadata = new ByteArrayOutputStream();
    Checkpoints.storeCheckpointMetadata(checkpoint(of(trap())), metadata);
    Files.write(checkpoint.resolve("_metadata"), StateChecksum.sealed(metadata.toByteArray()));
    Path data = folder.resolve("data.csv");
    Files.writeString(data, "a,b,class\n" + "1,2,x\n2,1,y\n".repeat(50));
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine(
                new Terminal(
                    new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                    false,
                    false,
                    () -> 80))
            .setErr(new PrintWriter(err, true))
            .execute(
                "train",
                "--data=" + data,
                "--model=logistic",
                "--workers=1",
                "--out=" + folder.resolve("out"),
                "--restore=" + checkpoint);
    assertThat(code).as(err::toString).isEqualTo(2);
    assertThat(err.toString())
        .contains("--restore " + checkpoint + ": the state of 'samples' has a form")
        .contains(KRYO, "restore only your own checkpoints")
        .hasLineCount(1);
    assertThat(footprint()).doesNotExist();
    assertThat(folder.resolve("out")).doesNotExist();
  }

  private static OperatorSubtaskState of(OperatorStateHandle state) {
    return OperatorSubtaskState.builder()
        .setManagedOperatorState(StateObjectCollection.singleton(state))
        .build();
  }

  private static OperatorSubtaskState of(KeyedStateHandle state) {
    return OperatorSubtaskState.builder()
        .setManagedKeyedState(StateObjectCollection.singleton(state))
        .build();
  }

  private static CheckpointMetadata checkpoint(OperatorSubtaskState state) {
    OperatorState operator = new OperatorState("Samples", "samples", new OperatorID(1, 1), 1, 128);
    operator.putState(0, state);
    return new CheckpointMetadata(
        5,
        List.of(operator),
        List.of(),
        CheckpointProperties.forCheckpoint(CheckpointRetentionPolicy.RETAIN_ON_CANCELLATION));
  }

  /** File that counts the bytes read from it. */
  private static final class CountedFile extends ByteStreamStateHandle {

    private static final long serialVersionUID = 1L;

    private long bytesRead;

    CountedFile(byte[] content) {
      super("counted", content);
    }

    @Override
    public FSDataInputStream openInputStream() throws IOException {
      FSDataInputStream in = super.openInputStream();
      return new FSDataInputStream() {
        @Override
        public int read() throws IOException {
          bytesRead++;
          return in.read();
        }

        @Override
        public int read(byte[] into, int start, int length) throws IOException {
          int count = in.read(into, start, length);
          bytesRead += Math.max(0, count);
          return count;
        }

        @Override
        public void seek(long place) throws IOException {
          in.seek(place);
        }

        @Override
        public long getPos() throws IOException {
          return in.getPos();
        }
      };
    }
  }
}
