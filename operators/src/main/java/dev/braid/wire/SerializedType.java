package dev.braid.wire;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * A type in Flink whose values one serializer of Braid's writes and reads; Flink by itself would
 * give them to Kryo.
 *
 * @param <T> what is written
 */
public final class SerializedType<T> extends TypeInformation<T> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final TypeSerializer<T> serializer;

  /**
   * The type of a serializer's values.
   *
   * @param serializer two types are the same if their serializers are
   */
  public SerializedType(Class<T> type, TypeSerializer<T> serializer) {
    this.type = type;
    this.serializer = serializer;
  }

  /** A serializer for one task's use. */
  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return serializer.duplicate();
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public String toString() {
    return type.getSimpleName();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SerializedType<?> that && that.serializer.equals(serializer);
  }

  @Override
  public int hashCode() {
    return serializer.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof SerializedType;
  }
}
