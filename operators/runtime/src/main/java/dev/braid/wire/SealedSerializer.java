package dev.braid.wire;

import java.io.DataInputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Appends a {@link StateChecksum} to the output of another serializer.
 *
 * @param name name of the state in error messages
 * @param plain serializer of the state without the checksum
 * @param <T> type of the values
 */
public record SealedSerializer<T>(String name, SimpleVersionedSerializer<T> plain)
    implements SimpleVersionedSerializer<T> {

  /**
   * Offset added to the other serializer's versions, because state of these versions has no
   * checksum.
   */
  private static final int SEALED = 1 << 16;

  /** Returns whether state of a version ends with a checksum. */
  public static boolean isSealed(int version) {
    return version >= SEALED;
  }

  @Override
  public int getVersion() {
    return SEALED + plain.getVersion();
  }

  @Override
  public byte[] serialize(T value) throws IOException {
    return StateChecksum.sealed(plain.serialize(value));
  }

  @Override
  public T deserialize(int version, byte[] serialized) throws IOException {
    try (DataInputStream in = StateChecksum.open(name, serialized)) {
      return plain.deserialize(version - SEALED, in.readAllBytes());
    }
  }
}
