package dev.braid.wire;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A serializer of values that nobody changes: a copy is the value itself, and one that is there is
 * not used again for what is read. How long one is, its bytes say.
 *
 * @param <T> what is written
 */
public abstract class ImmutableSerializer<T> extends TypeSerializerSingleton<T> {

  private static final long serialVersionUID = 1L;

  /** As Flink says it. */
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
