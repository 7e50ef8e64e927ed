package dev.braid.exchange.compression;

import java.util.OptionalDouble;

/**
 * A measurement of whether sending values in a short form pays. It does not pay where writing and
 * reading the form takes longer than the link takes for the bytes that it saves. Both forms have
 * the same values, so the choice changes no bit of a model, and may depend on the time.
 *
 * <p>A rank begins with plain values, which show how fast its links are, and then continues with
 * the form that pays. While it sends short forms, links can be faster than they seem. So the rank
 * returns to plain values if even the measured rate is too fast. While it sends plain values, it
 * sends a short form from time to time, to measure its cost.
 */
final class PackingChoice {

  /** Number of bytes of plain values to begin with. */
  static final long FIRST_BYTES = 1 << 21;

  /** Interval of trials: one in this many messages is short while plain values are sent. */
  static final int TRIED = 64;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double GAIN = 1.0 / 16;

  private long plainBytes;
  private long plainMessages;

  /* Per byte of values as float32: */
  private double packingNanos;
  private double unpackingNanos;
  private double savedBytes;
  private boolean isTried;

  /**
   * Returns whether the next message's values should be sent in the short form.
   *
   * @param bytesPerSecond lower bound of the links' rate; empty if unknown
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

  /** Notes that values have been sent plain. */
  void sentPlain(long bytes) {
    plainBytes += bytes;
    plainMessages++;
  }

  /**
   * Notes that values have been encoded.
   *
   * @param plain bytes of the values as float32
   * @param sent bytes in the form that is sent, which is the shorter one
   * @param nanos time that encoding took
   */
  void packed(long plain, long sent, long nanos) {
    double saved = (double) (plain - sent) / plain;
    double perByte = (double) nanos / plain;
    savedBytes += isTried ? GAIN * (saved - savedBytes) : saved;
    packingNanos += isTried ? GAIN * (perByte - packingNanos) : perByte;
    isTried = true;
    // A trial counts as a message, so that the next trial is TRIED messages later.
    plainMessages++;
  }

  /**
   * Notes that values in the short form have been decoded.
   *
   * @param plain bytes of the values as float32
   * @param nanos time that decoding took
   */
  void unpacked(long plain, long nanos) {
    unpackingNanos += GAIN * ((double) nanos / plain - unpackingNanos);
  }
}
