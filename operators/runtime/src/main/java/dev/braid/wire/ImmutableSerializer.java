package dev.braid.wire;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A serializer of immutable values. A copy is the value itself, and an existing value is never
 * reused for reading. Values have variable length.
 *
 * @param <T> type of the values
 */
public abstract class ImmutableSerializer<T> extends TypeSerializerSingleton<T> {

  private static final long serialVersionUID = 1L;

  /** Flink's constant for a variable length. */
  private static final int VARIABLE_LENGTH = -1;

  @Override
  public final boolean isImmutableType() {
    return true;
  }

  @Override
  public final int getLength() {
    return VARIABLE_LENGTH;
  }

  @Override
  public final T copy(T from) {
    return from;
  }

  @Override
  public final T copy(T from, T reuse) {
    return from;
  }

  @Override
  public final T deserialize(T reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public final void copy(DataInputView source, DataOutputView target) throws IOException {
    serialize(deserialize(source), target);
  }
}
