package dev.braid.loop;

import dev.braid.codec.DenseCodec;
import dev.braid.exchange.Message;
import dev.braid.loop.Envelope.Letter;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The CRC-32C (Castagnoli) of a letter: of all that is on the wire but the checksum itself. */
final class LetterChecksum implements DenseCodec.Blocks {

  private final CRC32C crc = new CRC32C();
  private final ByteBuffer header = ByteBuffer.allocate(EnvelopeSerializer.HEADER_BYTES);

  /** Begins with the header of a letter; its values follow. */
  LetterChecksum begin(Letter letter) {
    Message message = letter.message();
    return begin(
        letter.incarnation(),
        message.from(),
        message.to(),
        message.kind().code(),
        message.round(),
        message.range().start(),
        message.range().end(),
        message.samples(),
        message.values().length());
  }

  LetterChecksum begin(
      long incarnation,
      int from,
      int to,
      int kind,
      long round,
      int start,
      int end,
      long samples,
      int length) {
    header.clear();
    header.putLong(incarnation).putInt(from).putInt(to).put((byte) kind).putLong(round);
    header.putInt(start).putInt(end).putLong(samples).putInt(length);
    crc.reset();
    crc.update(header.array(), 0, header.position());
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
