package dev.braid.loop.envelope;

import dev.braid.codec.DenseCodec;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The CRC-32C (Castagnoli) of a letter: of all its bytes on the wire except the checksum itself.
 */
final class LetterChecksum implements DenseCodec.Blocks {

  private final CRC32C crc = new CRC32C();
  private final ByteBuffer numbers = ByteBuffer.allocate(LetterHeader.MAX_BYTES);

  /** Begins with the header of a letter; its values follow. */
  LetterChecksum begin(LetterHeader header) {
    numbers.clear();
    header.put(numbers);
    crc.reset();
    crc.update(numbers.array(), 0, numbers.position());
    return this;
  }

  @Override
  public void block(byte[] bytes, int length) {
    crc.update(bytes, 0, length);
  }

  int value() {
    return (int) crc.getValue();
  }
}
