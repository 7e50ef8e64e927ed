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
 * A list of records in an operator's state. Flink sees byte arrays: its own serializer of records
 * takes the names of classes from what it reads, and a checkpoint may be anybody's.
 *
 * @param <R> a public record of numbers, truth values, strings, arrays, and such records
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

  /** The state of a name, with what is restored of it. */
  public static <R extends Record> RecordState<R> of(
      OperatorStateStore store, String name, Class<R> type) throws Exception {
    return new RecordState<>(
        name,
        store.getListState(new ListStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE)),
        type);
  }

  /** The state of a name, of which each subtask is restored with the whole. */
  public static <R extends Record> RecordState<R> union(
      OperatorStateStore store, String name, Class<R> type) throws Exception {
    return new RecordState<>(
        name,
        store.getUnionListState(
            new ListStateDescriptor<>(name, BytePrimitiveArraySerializer.INSTANCE)),
        type);
  }

  /**
   * What is in it.
   *
   * @throws SuppressRestartsException if it is damaged, or of another form than such records have:
   *     it would be the same again after a restart
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

  /** Puts these in the place of what is in it. */
  public void update(List<R> records) throws Exception {
    state.update(records.stream().map(RecordBytes::of).toList());
  }
}
