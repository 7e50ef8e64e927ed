package dev.braid.exchange.compression;

import java.util.OptionalDouble;

/**
 * Whether it pays to send values in a short form: not where it takes longer to write and to read
 * than a link takes for what it saves. Either form has the same values, so what is chosen changes
 * no bit of a model, and may hang on the time.
 *
 * <p>A rank begins with plain values, which tell how fast its links are. It goes on with what pays:
 * of short forms, links can be faster than they seem, so that a rank goes back to plain ones where
 * even what was seen is too fast; of plain ones, now and then one is short, to know what that
 * takes.
 */
final class PackingChoice {

  /** Plain bytes to begin with. */
  static final long FIRST_BYTES = 1 << 21;

  /** Of messages with plain values, one in so many is short. */
  static final int TRIED = 64;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double GAIN = 1.0 / 16;

  private long plainBytes;
  private long plainMessages;

  /* For each byte that values take as float32. */
  private double packingNanos;
  private double unpackingNanos;
  private double savedBytes;
  private boolean isTried;

  /**
   * Whether the next message's values are to be short.
   *
   * @param bytesPerSecond what links take, or more
   */
  boolean pays(OptionalDouble bytesPerSecond) {
    if (plainBytes < FIRST_BYTES && bytesPerSecond.isEmpty()) {
      return false;
    }
    if (!isTried || bytesPerSecond.isEmpty()) {
      return true;
    }
    double savedNanos = savedBytes / bytesPerSecond.getAsDouble() * NANOS_PER_SECOND;
    return packingNanos + unpackingNanos < savedNanos || plainMessages % TRIED == 0;
  }

  /** Values have gone as they are. */
  void sentPlain(long bytes) {
    plainBytes += bytes;
    plainMessages++;
  }

  /** Values have been written in a short form, if that is shorter. */
  void packed(long plain, long sent, long nanos) {
    double saved = (double) (plain - sent) / plain;
    double perByte = (double) nanos / plain;
    savedBytes += isTried ? GAIN * (saved - savedBytes) : saved;
    packingNanos += isTried ? GAIN * (perByte - packingNanos) : perByte;
    isTried = true;
    // One that was tried is one of those that come in turn.
    plainMessages++;
  }

  /** Values of a short form have been read. */
  void unpacked(long plain, long nanos) {
    unpackingNanos += GAIN * ((double) nanos / plain - unpackingNanos);
  }
}
