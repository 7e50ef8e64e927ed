package dev.braid.job.restore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.DefaultOperatorStateBackend;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;

/** Union list states of byte arrays, written and restored by Flink itself. */
final class OperatorStates {

  private static final int MOST_BYTES = 1 << 26;

  private OperatorStates() {}

  /** Returns a state as a job with these settings writes it. */
  static OperatorStateHandle written(Configuration settings, String name, List<byte[]> elements)
      throws IOException {
    try (CloseableRegistry closeables = new CloseableRegistry()) {
      DefaultOperatorStateBackend backend = backend(settings, List.of(), closeables);
      backend.getUnionListState(descriptor(name)).update(elements);
      var snapshot =
          backend.snapshot(
              1,
              1,
              new MemCheckpointStreamFactory(MOST_BYTES),
              CheckpointOptions.forCheckpointWithDefaultLocation());
      snapshot.run();
      SnapshotResult<OperatorStateHandle> result = snapshot.get();
      backend.dispose();
      return result.getJobManagerOwnedSnapshot();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** Returns a state as a job with these settings restores it. */
  static List<byte[]> restored(
      Configuration settings, String name, List<OperatorStateHandle> handles) throws Exception {
    try (CloseableRegistry closeables = new CloseableRegistry()) {
      DefaultOperatorStateBackend backend = backend(settings, handles, closeables);
      List<byte[]> elements = new ArrayList<>();
      backend.getUnionListState(descriptor(name)).get().forEach(elements::add);
      backend.dispose();
      return elements;
    }
  }

  private static DefaultOperatorStateBackend backend(
      Configuration settings, List<OperatorStateHandle> handles, CloseableRegistry closeables)
      throws Exception {
    ClassLoader loader = OperatorStates.class.getClassLoader();
    ExecutionConfig config = new ExecutionConfig();
    config.configure(settings, loader);
    return new DefaultOperatorStateBackendBuilder(loader, config, true, handles, closeables)
        .build();
  }

  private static ListStateDescriptor<byte[]> descriptor(String name) {
    return new ListStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE);
  }
}
