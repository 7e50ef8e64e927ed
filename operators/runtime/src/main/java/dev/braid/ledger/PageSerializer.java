package dev.braid.ledger;

import dev.braid.wire.DamagedStateException;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.state.StateVersionException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes a page as its length in bytes and one block of big-endian numbers that ends with a {@link
 * StateChecksum}. The block is written at once, because each access to a page serialises it.
 */
public final class PageSerializer extends TypeSerializerSingleton<Page> {

  static final PageSerializer INSTANCE = new PageSerializer();

  /** Name of this state in error messages. */
  static final String NAME = "a page of the ledger";

  /** Flink's constant for serialised data of variable length. */
  private static final int VARIABLE_LENGTH = -1;

  /** Upper bound on the bytes of a page, with the highest number of words in each sample's set. */
  private static final int MAX_BYTES = 2 * Long.BYTES * EpochSets.MAX_WORDS * Page.SAMPLES;

  @Override
  public void serialize(Page page, DataOutputView target) throws IOException {
    byte[] block = new byte[page.bytes() + StateChecksum.BYTES];
    page.write(ByteBuffer.wrap(block));
    StateChecksum.seal(block);
    target.writeInt(block.length);
    target.write(block);
  }

  @Override
  public Page deserialize(DataInputView source) throws IOException {
    byte[] block = new byte[length(source)];
    try {
      source.readFully(block);
    } catch (EOFException e) {
      throw new DamagedStateException(NAME, e);
    }
    return Page.read(StateChecksum.openBuffer(NAME, block));
  }

  /**
   * Reads a page, to find damage.
   *
   * @param number the expected number of the page
   * @throws DamagedStateException if the page is damaged, or is another page
   */
  public static void check(int number, DataInputView source) throws IOException {
    checkNumber(INSTANCE.deserialize(source), number);
  }

  /**
   * Checks that a page is stored under its own key.
   *
   * @throws DamagedStateException if it is not
   */
  static void checkNumber(Page page, int number) throws DamagedStateException {
    if (page.number() != number) {
      throw new DamagedStateException(
          NAME, "it is page %d, but saved as page %d".formatted(page.number(), number));
    }
  }

  private static int length(DataInputView source) throws IOException {
    int length = source.readInt();
    if (length < 0 || length > MAX_BYTES) {
      throw new DamagedStateException(
          NAME, "it has " + length + " bytes: must be 0 to " + MAX_BYTES);
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
    return new Page(0);
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

  /** The format version, for state that a later version reads. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<Page> {

    /** Version 4 adds the page's number and the checksum. */
    private static final int VERSION = 4;

    public Snapshot() {
      super(() -> INSTANCE);
    }

    @Override
    public int getCurrentVersion() {
      return VERSION;
    }

    @Override
    public void readSnapshot(int version, DataInputView in, ClassLoader classes)
        throws IOException {
      if (version != VERSION) {
        throw new StateVersionException("the ledger's state", version, VERSION);
      }
      super.readSnapshot(super.getCurrentVersion(), in, classes);
    }
  }
}
