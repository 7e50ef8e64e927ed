package dev.braid.wire;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * A Flink type whose values are written and read by one of Braid's serializers. Without it, Flink
 * would use Kryo.
 *
 * @param <T> type of the values
 */
public final class SerializedType<T> extends TypeInformation<T> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final TypeSerializer<T> serializer;

  /**
   * Creates the type of a serializer's values.
   *
   * @param serializer serializer of the values; two types are equal if their serializers are
   */
  public SerializedType(Class<T> type, TypeSerializer<T> serializer) {
    this.type = type;
    this.serializer = serializer;
  }

  /** Returns a serializer for the use of one task. */
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
