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
 * Looks at what the files of a checkpoint say of themselves. Each begins with the names of the
 * classes that know the form of what follows, and Flink makes objects of them, and values with
 * them, before an operator has said what its state is: with one of them it reads Java objects,
 * which run code as they are read.
 *
 * <p>Flink's own reader reads these beginnings here, but finds no other classes than those of the
 * states that Braid has. None of them takes the name of a class from a value. What follows is not
 * read.
 */
final class StateFilesCheck {

  /** The forms of all states that Braid's operators have, and the sources and sinks of Flink's. */
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

  /** Many times what the beginning of Braid's largest has. */
  private static final int LONGEST_BEGINNING_BYTES = 1 << 16;

  /** As RocksDB's files are called; with a path in front, they could be written anywhere. */
  private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*");

  private StateFilesCheck() {}

  /**
   * Looks at all states of a checkpoint, of which the metadata has been read.
   *
   * @return the first thing that Braid does not write, in words
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
      // Of an empty one Flink reads nothing.
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
      // Flink believes the lengths in it, and asks at once for as much memory.
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

  /** Finds the known classes, and remembers of which other it was asked first. */
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
