package dev.braid.ledger;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes a page as one block of big-endian numbers: in bulk, because its use is in every access.
 */
public final class PageSerializer extends TypeSerializerSingleton<Page> {

  static final PageSerializer INSTANCE = new PageSerializer();

  private static final int BYTES = Page.SAMPLES * 2 * (Integer.BYTES + Long.BYTES);

  @Override
  public void serialize(Page page, DataOutputView target) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    for (int i = 0; i < Page.SAMPLES; i++) {
      bytes.putInt(page.lastEpoch(i));
      bytes.putLong(page.recentEpochs(i));
      bytes.putInt(page.uses(i));
      bytes.putLong(page.lastRound(i));
    }
    target.write(bytes.array());
  }

  @Override
  public Page deserialize(DataInputView source) throws IOException {
    byte[] block = new byte[BYTES];
    source.readFully(block);
    ByteBuffer bytes = ByteBuffer.wrap(block);
    int[] lastEpochs = new int[Page.SAMPLES];
    long[] recentEpochs = new long[Page.SAMPLES];
    int[] uses = new int[Page.SAMPLES];
    long[] lastRounds = new long[Page.SAMPLES];
    for (int i = 0; i < Page.SAMPLES; i++) {
      lastEpochs[i] = bytes.getInt();
      recentEpochs[i] = bytes.getLong();
      uses[i] = bytes.getInt();
      lastRounds[i] = bytes.getLong();
    }
    return new Page(lastEpochs, recentEpochs, uses, lastRounds);
  }

  @Override
  public Page deserialize(Page reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    target.write(source, BYTES);
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
    return BYTES;
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
