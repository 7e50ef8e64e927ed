package dev.braid.worker.state;

import dev.braid.wire.StateChecksum;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Converts records to bytes and back. The reader names the class: the bytes contain only the names
 * and types of its components, so no class is loaded because a file names it.
 */
final class RecordBytes {

  private RecordBytes() {}

  static byte[] of(Record record) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeUTF(form(record.getClass()));
      write(record, out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return StateChecksum.sealed(bytes.toByteArray());
  }

  /**
   * Reads a record.
   *
   * @param name name of the state, for error messages
   * @throws IOException if the bytes are not those of such a record
   */
  static <R extends Record> R read(String name, byte[] bytes, Class<R> type) throws IOException {
    DataInputStream in = StateChecksum.open(name, bytes);
    String form = in.readUTF();
    if (!form.equals(form(type))) {
      throw new IOException(
          "state of form %s: must be %s; restore it with the Braid that made it"
              .formatted(form, form(type)));
    }
    return readRecord(in, type);
  }

  /** Returns a description of the record's components, which differs if the components differ. */
  private static String form(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .map(component -> form(component) + " " + component.getName())
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String form(RecordComponent component) {
    Class<?> type = component.getType();
    return type.isRecord() ? form(type) : type.getSimpleName();
  }

  private static void write(Object value, DataOutputStream out) throws IOException {
    if (value instanceof Integer number) {
      out.writeInt(number);
    } else if (value instanceof Long number) {
      out.writeLong(number);
    } else if (value instanceof Double number) {
      out.writeDouble(number);
    } else if (value instanceof Float number) {
      out.writeFloat(number);
    } else if (value instanceof Boolean is) {
      out.writeBoolean(is);
    } else if (value instanceof String text) {
      out.writeUTF(text);
    } else if (value instanceof byte[] array) {
      write(array.length, array, out);
    } else if (value instanceof long[] array) {
      byte[] block = new byte[Math.multiplyExact(array.length, Long.BYTES)];
      ByteBuffer.wrap(block).asLongBuffer().put(array);
      write(array.length, block, out);
    } else if (value instanceof double[] array) {
      byte[] block = new byte[Math.multiplyExact(array.length, Double.BYTES)];
      ByteBuffer.wrap(block).asDoubleBuffer().put(array);
      write(array.length, block, out);
    } else if (value instanceof float[] array) {
      byte[] block = new byte[Math.multiplyExact(array.length, Float.BYTES)];
      ByteBuffer.wrap(block).asFloatBuffer().put(array);
      write(array.length, block, out);
    } else if (value instanceof Record record) {
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        write(get(record, component), out);
      }
    } else {
      throw new IllegalArgumentException("cannot be saved: " + value);
    }
  }

  private static void write(int length, byte[] elements, DataOutputStream out) throws IOException {
    out.writeInt(length);
    out.write(elements);
  }

  private static Object get(Record record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("must be a public record: " + record.getClass(), e);
    }
  }

  private static Object read(DataInputStream in, Class<?> type) throws IOException {
    if (type == int.class) {
      return in.readInt();
    } else if (type == long.class) {
      return in.readLong();
    } else if (type == double.class) {
      return in.readDouble();
    } else if (type == float.class) {
      return in.readFloat();
    } else if (type == boolean.class) {
      return in.readBoolean();
    } else if (type == String.class) {
      return in.readUTF();
    } else if (type == byte[].class) {
      return readBlock(in, Byte.BYTES);
    } else if (type == long[].class) {
      byte[] block = readBlock(in, Long.BYTES);
      long[] array = new long[block.length / Long.BYTES];
      ByteBuffer.wrap(block).asLongBuffer().get(array);
      return array;
    } else if (type == double[].class) {
      byte[] block = readBlock(in, Double.BYTES);
      double[] array = new double[block.length / Double.BYTES];
      ByteBuffer.wrap(block).asDoubleBuffer().get(array);
      return array;
    } else if (type == float[].class) {
      byte[] block = readBlock(in, Float.BYTES);
      float[] array = new float[block.length / Float.BYTES];
      ByteBuffer.wrap(block).asFloatBuffer().get(array);
      return array;
    } else if (type.isRecord()) {
      return readRecord(in, type.asSubclass(Record.class));
    }
    throw new IllegalArgumentException("cannot be restored: " + type);
  }

  private static <R extends Record> R readRecord(DataInputStream in, Class<R> type)
      throws IOException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = read(in, types[i]);
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IOException("state is not a valid " + type.getSimpleName(), e);
    }
  }

  /** Reads the elements of an array; refuses a length that exceeds the bytes that are left. */
  private static byte[] readBlock(DataInputStream in, int elementBytes) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available() / elementBytes) {
      throw new IOException(
          "an array of " + length + " elements does not fit into " + in.available() + " bytes");
    }
    return in.readNBytes(length * elementBytes);
  }
}
