package dev.braid.exchange.coded;

import dev.braid.coding.TimesOfRounds;
import dev.braid.exchange.message.Payload;
import dev.braid.exchange.message.TreeChoice;
import dev.braid.exchange.state.StateReader;
import dev.braid.vector.Range;
import dev.braid.vector.Slice;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Measured times of one rank's gradients and answers in an epoch. They are float32 from the start,
 * so that the root makes the same choice from its own times, from those that others send and from
 * those of a checkpoint.
 *
 * @param seconds times for all samples of a round, in seconds and equally likely; empty if unknown
 * @param messageSeconds time to receive one answer, in seconds; 0 if unknown
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared
record EpochTimes(float[] seconds, double messageSeconds) {

  static final EpochTimes NONE = new EpochTimes(new float[0], 0);

  EpochTimes {
    if (seconds.length > TimesOfRounds.QUANTILES) {
      throw new IllegalArgumentException(
          seconds.length + " times: must be at most " + TimesOfRounds.QUANTILES);
    }
    for (float second : seconds) {
      check(second);
    }
    check(messageSeconds);
  }

  /** Returns measured times, rounded to float32. */
  static EpochTimes of(double[] measured, double messageSeconds) {
    float[] seconds = new float[measured.length];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = (float) measured[i];
    }
    return new EpochTimes(seconds, messageSeconds);
  }

  /** Returns the times that a rank has sent. Does not release the message's payload. */
  static EpochTimes of(TreeChoice.Times told) {
    if (told.payload().isEmpty()) {
      return new EpochTimes(new float[0], told.messageSeconds());
    }
    Slice values = told.payload().dense();
    return new EpochTimes(values.toArray(), told.messageSeconds());
  }

  TreeChoice.Times toMessage() {
    Range range = Range.ofLength(seconds.length);
    Payload payload = seconds.length == 0 ? Payload.none() : Payload.view(seconds, range);
    return new TreeChoice.Times(range, messageSeconds, payload);
  }

  double[] inDoubles() {
    double[] doubles = new double[seconds.length];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = seconds[i];
    }
    return doubles;
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(seconds.length);
    for (float second : seconds) {
      out.writeFloat(second);
    }
    out.writeDouble(messageSeconds);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IOException if a value cannot be a measured time
   */
  static EpochTimes read(DataInput in) throws IOException {
    float[] seconds = new float[StateReader.readInt(in, 0, TimesOfRounds.QUANTILES, "times")];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = in.readFloat();
    }
    double messageSeconds = in.readDouble();
    try {
      return new EpochTimes(seconds, messageSeconds);
    } catch (IllegalArgumentException e) {
      throw new IOException("the exchange's state: " + e.getMessage(), e);
    }
  }

  private static void check(double seconds) {
    if (!(seconds >= 0) || Double.isInfinite(seconds)) {
      throw new IllegalArgumentException(
          "time of " + seconds + " s: must be finite, and 0 or more");
    }
  }
}
