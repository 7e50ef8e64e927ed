package dev.braid.worker.state;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * A list of records in an operator's state. Flink sees byte arrays only: its own record serializer
 * loads classes that the bytes name, and a checkpoint may come from an untrusted source.
 *
 * @param <R> a public record of numbers, booleans, strings, arrays, and such records
 */
public final class RecordState<R extends Record> {

  private final String name;
  private final ListState<byte[]> state;
  private final Class<R> type;

  private RecordState(String name, ListState<byte[]> state, Class<R> type) {
    this.name = name;
    this.state = state;
    this.type = type;
  }

  /** Returns the state of this name, with its restored content. */
  public static <R extends Record> RecordState<R> of(
      OperatorStateStore store, String name, Class<R> type) throws Exception {
    return new RecordState<>(
        name,
        store.getListState(new ListStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE)),
        type);
  }

  /** Returns the state of this name; when it is restored, each subtask gets the whole list. */
  public static <R extends Record> RecordState<R> union(
      OperatorStateStore store, String name, Class<R> type) throws Exception {
    return new RecordState<>(
        name,
        store.getUnionListState(
            new ListStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE)),
        type);
  }

  /**
   * Returns the records in the state.
   *
   * @throws SuppressRestartsException if the state is damaged or has another form than such
   *     records, because a restart would fail in the same way
   */
  public List<R> get() throws Exception {
    List<R> records = new ArrayList<>();
    for (byte[] bytes : state.get()) {
      records.add(read(bytes));
    }
    return records;
  }

  private R read(byte[] bytes) {
    try {
      return RecordBytes.read("'" + name + "'", bytes, type);
    } catch (IOException e) {
      throw new SuppressRestartsException(e);
    }
  }

  /** Replaces the content of the state with these records. */
  public void update(List<R> records) throws Exception {
    state.update(records.stream().map(RecordBytes::of).toList());
  }
}
