package dev.braid.job.engine;

import dev.braid.wire.DamagedStateException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.OperatorBackendSerializationProxy;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendFactory;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.runtime.state.filemerging.EmptyFileMergingOperatorStreamStateHandle;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.DynamicCodeLoadingException;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Flink state backend that fails the job for good if the state to restore is damaged. Flink
 * itself would treat a reader's error on such state, as that it cannot be decompressed, as a reason
 * to restart the job and read the state again.
 *
 * @param flink the backend that does all the work
 */
public record CheckedBackend(StateBackend flink) implements StateBackend {

  private static final Logger LOG = LoggerFactory.getLogger(CheckedBackend.class);

  /** Name of the wrapped backend, as in Flink's configuration. */
  private static final ConfigOption<String> NAME =
      ConfigOptions.key("braid.state-backend").stringType().noDefaultValue();

  private static final StateMetaInfoSnapshot.CommonOptionsKeys MODE =
      StateMetaInfoSnapshot.CommonOptionsKeys.OPERATOR_STATE_DISTRIBUTION_MODE;

  /**
   * Messages of failures of the machine or the network, which may be over when state is read again.
   */
  private static final Set<String> PASSING =
      Set.of(
          "No space left on device",
          "Too many open files",
          "Permission denied",
          "Connection reset",
          "Connection refused",
          "Broken pipe",
          "timed out");

  /** Packages of exceptions that readers of damaged state throw. */
  private static final Set<String> READERS =
      Set.of("java.lang", "java.util", "org.apache.flink", "org.xerial.snappy");

  /** Factory of the backend that a job is configured to use. */
  public static final class Factory implements StateBackendFactory<CheckedBackend> {
    @Override
    public CheckedBackend createFromConfig(ReadableConfig config, ClassLoader classes)
        throws IOException {
      Configuration named =
          config instanceof Configuration all ? new Configuration(all) : new Configuration();
      named.set(StateBackendOptions.STATE_BACKEND, config.get(NAME));
      try {
        return new CheckedBackend(
            StateBackendLoader.loadStateBackendFromConfig(named, classes, LOG));
      } catch (DynamicCodeLoadingException e) {
        throw new IOException(e);
      }
    }
  }

  /** Configures a job to keep its state in the backend with this name. */
  static void set(Configuration settings, String name) {
    settings.set(StateBackendOptions.STATE_BACKEND, Factory.class.getName());
    settings.set(NAME, name);
  }

  @Override
  public String getName() {
    return flink.getName();
  }

  @Override
  public <K> CheckpointableKeyedStateBackend<K> createKeyedStateBackend(
      KeyedStateBackendParameters<K> parameters) throws Exception {
    try {
      return flink.createKeyedStateBackend(parameters);
    } catch (Exception | OutOfMemoryError e) {
      throw explained(e, parameters.getStateHandles(), parameters.getOperatorIdentifier());
    }
  }

  @Override
  public OperatorStateBackend createOperatorStateBackend(OperatorStateBackendParameters parameters)
      throws Exception {
    ClassLoader classes = parameters.getEnv().getUserCodeClassLoader().asClassLoader();
    try {
      for (OperatorStateHandle handle : parameters.getStateHandles()) {
        checkHead(handle, classes);
      }
      return flink.createOperatorStateBackend(parameters);
    } catch (Exception | OutOfMemoryError e) {
      throw explained(e, parameters.getStateHandles(), parameters.getOperatorIdentifier());
    }
  }

  /**
   * Compares the names of states and their distribution modes with those in the checkpoint's
   * metadata. Flink itself would drop a state whose name has changed.
   *
   * @throws IOException if they differ, or cannot be read
   */
  public static void checkHead(OperatorStateHandle handle, ClassLoader classes) throws IOException {
    if (handle instanceof EmptyFileMergingOperatorStreamStateHandle) {
      return;
    }
    OperatorBackendSerializationProxy head = new OperatorBackendSerializationProxy(classes);
    try (InputStream file = handle.openInputStream()) {
      head.read(new DataInputViewStreamWrapper(new BufferedInputStream(file)));
    }
    Map<String, String> found = new TreeMap<>();
    Stream.of(head.getOperatorStateMetaInfoSnapshots(), head.getBroadcastStateMetaInfoSnapshots())
        .flatMap(Collection::stream)
        .forEach(state -> found.put(state.getName(), state.getOption(MODE)));
    Map<String, String> known = new TreeMap<>();
    handle
        .getStateNameToPartitionOffsets()
        .forEach((name, place) -> known.put(name, place.getDistributionMode().toString()));
    if (!found.equals(known)) {
      throw new DamagedStateException(
          "the head of a state", "it is of %s, and was of %s".formatted(found, known));
    }
  }

  private static Exception explained(Throwable failure, Collection<?> handles, String operator)
      throws Exception {
    if (!handles.isEmpty() && isDamage(failure)) {
      Throwable root = rootOf(failure);
      return root instanceof DamagedStateException known
          ? known
          : new DamagedStateException(operator, root);
    }
    ExceptionUtils.rethrowException(failure);
    throw new IllegalStateException(failure);
  }

  /**
   * Returns whether a failure to restore is due to the state itself, so that reading it again would
   * not help.
   */
  public static boolean isDamage(Throwable failure) {
    if (ExceptionUtils.findThrowable(failure, CancelTaskException.class).isPresent()
        || ExceptionUtils.findThrowable(failure, InterruptedException.class).isPresent()) {
      return false;
    }
    Throwable root = rootOf(failure);
    String message = String.valueOf(root.getMessage());
    if (root instanceof TimeoutException || PASSING.stream().anyMatch(message::contains)) {
      return false;
    }
    return root.getClass() == IOException.class
        || root instanceof EOFException
        || root instanceof NoSuchFileException
        || root instanceof FileNotFoundException
        || root.getClass().getName().equals("org.rocksdb.RocksDBException")
        || isOfReader(root);
  }

  private static boolean isOfReader(Throwable root) {
    String name = root.getClass().getName();
    return READERS.stream().anyMatch(reader -> name.startsWith(reader + "."))
        || root instanceof java.io.ObjectStreamException
        || root instanceof java.io.UTFDataFormatException
        || root instanceof DamagedStateException;
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }

  @Override
  public boolean useManagedMemory() {
    return flink.useManagedMemory();
  }

  @Override
  public boolean supportsNoClaimRestoreMode() {
    return flink.supportsNoClaimRestoreMode();
  }

  @Override
  public boolean supportsSavepointFormat(SavepointFormatType format) {
    return flink.supportsSavepointFormat(format);
  }
}
