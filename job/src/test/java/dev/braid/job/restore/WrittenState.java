package dev.braid.job.restore;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.OperatorBackendSerializationProxy;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.RegisteredOperatorStateBackendMetaInfo;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;

/** States as Flink's backends write them: their names and forms, followed by their content. */
public final class WrittenState {

  private WrittenState() {}

  /** Returns a list state with one value. */
  public static <T> byte[] list(String name, TypeSerializer<T> form, T value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputViewStreamWrapper out = new DataOutputViewStreamWrapper(bytes);
    out.write(listHead(name, form, false));
    form.serialize(value, out);
    return bytes.toByteArray();
  }

  /** Returns the header of a compressed list state of byte arrays. */
  static byte[] compressedHead(String name) throws IOException {
    return listHead(name, BytePrimitiveArraySerializer.INSTANCE, true);
  }

  private static byte[] listHead(String name, TypeSerializer<?> form, boolean isCompressed)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new OperatorBackendSerializationProxy(
            List.of(
                new RegisteredOperatorStateBackendMetaInfo<>(
                        name, form, OperatorStateHandle.Mode.SPLIT_DISTRIBUTE)
                    .snapshot()),
            List.of(),
            isCompressed)
        .write(new DataOutputViewStreamWrapper(bytes));
    return bytes.toByteArray();
  }

  /** Returns a list state with one byte array, like most of Braid's states. */
  static OperatorStateHandle list(String name, byte[] value) throws IOException {
    byte[] whole = list(name, BytePrimitiveArraySerializer.INSTANCE, value);
    return at(name, whole.length - Integer.BYTES - value.length, inline(whole));
  }

  /** Returns a list state whose first value is at an offset in a file. */
  public static OperatorStateHandle at(String name, long offset, StreamStateHandle file) {
    return at(name, new long[] {offset}, file);
  }

  /** Returns a list state whose values are at offsets in a file. */
  static OperatorStateHandle at(String name, long[] offsets, StreamStateHandle file) {
    return new OperatorStreamStateHandle(
        Map.of(
            name,
            new OperatorStateHandle.StateMetaInfo(
                offsets, OperatorStateHandle.Mode.SPLIT_DISTRIBUTE)),
        file);
  }

  /** Returns the header of a file of the ledger's pages, in their own form or another one. */
  static byte[] pages(TypeSerializer<?> keys, TypeSerializer<?> values) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new KeyedBackendSerializationProxy<>(
            keys,
            List.of(
                new RegisteredKeyValueStateBackendMetaInfo<>(
                        StateDescriptor.Type.VALUE,
                        "page",
                        VoidNamespaceSerializer.INSTANCE,
                        values)
                    .snapshot()),
            false)
        .write(new DataOutputViewStreamWrapper(new DataOutputStream(bytes)));
    return bytes.toByteArray();
  }

  static StreamStateHandle inline(byte[] content) {
    return new ByteStreamStateHandle("state", content);
  }

  /** Writes a state to a file next to the metadata. */
  public static StreamStateHandle beside(Path checkpoint, byte[] content) throws IOException {
    Path file = checkpoint.resolve("5f0c2d1e");
    Files.write(file, content);
    return new FileStateHandle(new org.apache.flink.core.fs.Path("file://" + file), content.length);
  }
}
