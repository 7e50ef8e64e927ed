package dev.braid.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes a page as its length in bytes and one block of big-endian numbers: in bulk, because its
 * use is in every access.
 */
public final class PageSerializer extends TypeSerializerSingleton<Page> {

  static final PageSerializer INSTANCE = new PageSerializer();

  /** As Flink says it. */
  private static final int VARIABLE_LENGTH = -1;

  /** Of a page whose every sample has as many epochs as are told apart. */
  private static final int MAX_BYTES = 2 * Long.BYTES * EpochSets.MAX_WORDS * Page.SAMPLES;

  @Override
  public void serialize(Page page, DataOutputView target) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(page.bytes());
    page.write(bytes);
    target.writeInt(bytes.capacity());
    target.write(bytes.array());
  }

  @Override
  public Page deserialize(DataInputView source) throws IOException {
    byte[] block = new byte[length(source)];
    source.readFully(block);
    return Page.read(ByteBuffer.wrap(block));
  }

  private static int length(DataInputView source) throws IOException {
    int length = source.readInt();
    if (length < 0 || length > MAX_BYTES) {
      throw new IOException("a page of " + length + " bytes: 0 to " + MAX_BYTES + " were expected");
    }
    return length;
  }

  @Override
  public Page deserialize(Page reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    int length = length(source);
    target.writeInt(length);
    target.write(source, length);
  }

  @Override
  public Page copy(Page from) {
    return from.copy();
  }

  @Override
  public Page copy(Page from, Page reuse) {
    return from.copy();
  }

  @Override
  public Page createInstance() {
    return new Page();
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public int getLength() {
    return VARIABLE_LENGTH;
  }

  @Override
  public TypeSerializerSnapshot<Page> snapshotConfiguration() {
    return new Snapshot();
  }

  /** The format, for state that is read by a later version. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Page> {
    public Snapshot() {
      super(() -> INSTANCE);
    }
  }
}
