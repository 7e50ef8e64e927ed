package dev.braid.job.restore;

import dev.braid.ledger.PageSerializer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.io.VersionedIOReadableWritable;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorBackendSerializationProxy;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filemerging.EmptyFileMergingOperatorStreamStateHandle;

/**
 * Check of the headers of a checkpoint's files. Each file begins with the names of classes that
 * describe the form of its state. Flink creates objects of these classes, and reads values with
 * them, before an operator has declared its state. One of these classes reads Java objects, which
 * run code when they are read.
 *
 * <p>This check reads the headers with Flink's own reader, but lets it find only the classes of the
 * states that Braid has. None of them takes the name of a class from a value. The state after the
 * header is not read.
 */
final class StateFilesCheck {

  /** Classes for the forms of all states of Braid's operators and of Flink's sources and sinks. */
  private static final Set<String> KNOWN =
      Stream.of(
              BytePrimitiveArraySerializer.BytePrimitiveArraySerializerSnapshot.class,
              IntSerializer.IntSerializerSnapshot.class,
              LongSerializer.LongSerializerSnapshot.class,
              StringSerializer.StringSerializerSnapshot.class,
              PageSerializer.Snapshot.class,
              VoidNamespaceSerializer.VoidNamespaceSerializerSnapshot.class)
          .map(Class::getName)
          .collect(Collectors.toUnmodifiableSet());

  /** Maximum length of a header, many times that of Braid's largest one. */
  private static final int LONGEST_BEGINNING_BYTES = 1 << 16;

  /** Names of RocksDB's files. With a path in it, a name would let a file be written anywhere. */
  private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

  private StateFilesCheck() {}

  /**
   * Checks all states of a checkpoint whose metadata has been read.
   *
   * @return description of the first content that Braid does not write; empty if there is none
   * @throws IOException if a file cannot be read
   */
  static Optional<String> stranger(CheckpointMetadata metadata) throws IOException {
    for (OperatorState operator : metadata.getOperatorStates()) {
      String name = operator.getOperatorUid().orElse(operator.getOperatorID().toString());
      for (OperatorSubtaskState subtask : operator.getStates()) {
        Optional<String> found = stranger(subtask);
        if (found.isPresent()) {
          return Optional.of("the state of '" + name + "' has " + found.get());
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> stranger(OperatorSubtaskState subtask) throws IOException {
    if (!subtask.getRawOperatorState().isEmpty() || !subtask.getRawKeyedState().isEmpty()) {
      return Optional.of("raw bytes");
    }
    if (!subtask.getInputChannelState().isEmpty()
        || !subtask.getResultSubpartitionState().isEmpty()) {
      return Optional.of("records in flight");
    }
    for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
      // Flink reads nothing of an empty one.
      if (!(handle instanceof EmptyFileMergingOperatorStreamStateHandle)) {
        Optional<String> found = stranger(handle, OperatorBackendSerializationProxy::new);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    for (KeyedStateHandle handle : subtask.getManagedKeyedState()) {
      Optional<String> found = stranger(handle);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> stranger(KeyedStateHandle handle) throws IOException {
    if (handle instanceof KeyGroupsStateHandle file) {
      return stranger(file, KeyedBackendSerializationProxy::new);
    }
    if (handle instanceof IncrementalRemoteKeyedStateHandle files) {
      Optional<String> path =
          Stream.concat(files.getSharedState().stream(), files.getPrivateState().stream())
              .map(IncrementalKeyedStateHandle.HandleAndLocalPath::getLocalPath)
              .filter(name -> !FILE_NAME.matcher(name).matches())
              .findFirst();
      return path.isPresent()
          ? path.map(name -> "a file of RocksDB that would go to '" + name + "'")
          : stranger(files.getMetaDataStateHandle(), KeyedBackendSerializationProxy::new);
    }
    return Optional.of("a " + handle.getClass().getName());
  }

  private static Optional<String> stranger(
      StreamStateHandle file, Function<ClassLoader, VersionedIOReadableWritable> reader)
      throws IOException {
    DataInputViewStreamWrapper in =
        new DataInputViewStreamWrapper(new ByteArrayInputStream(beginning(file)));
    KnownClasses classes = new KnownClasses();
    try {
      reader.apply(classes).read(in);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      // Flink trusts the lengths in it and allocates as much memory at once.
      if (classes.refused().isEmpty()) {
        throw new IOException("the beginning of a state is cut off or damaged", e);
      }
    }
    return classes.refused().map(name -> "a form that Braid does not write, " + name);
  }

  private static byte[] beginning(StreamStateHandle file) throws IOException {
    try (InputStream in = file.openInputStream()) {
      return in.readNBytes(LONGEST_BEGINNING_BYTES);
    } catch (RuntimeException e) {
      throw new IOException("a state has no location", e);
    }
  }

  /**
   * Class loader that finds only the known classes, and records the first other class requested.
   */
  private static final class KnownClasses extends ClassLoader {

    private Optional<String> refused = Optional.empty();

    KnownClasses() {
      super(StateFilesCheck.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (KNOWN.contains(name)) {
        return super.loadClass(name, resolve);
      }
      refused = refused.or(() -> Optional.of(name));
      throw new ClassNotFoundException(name);
    }

    Optional<String> refused() {
      return refused;
    }
  }
}
