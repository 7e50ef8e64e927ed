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
 * How long gradients and answers took one rank in an epoch. In float32 from the beginning, so that
 * the root's own times, those that others send and those of a checkpoint give the same choice.
 *
 * @param seconds for all samples of a round, each as likely as the others; none if none are known
 * @param messageSeconds how long it takes to receive an answer; 0 where that is not known
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record EpochTimes(float[] seconds, double messageSeconds) {

  static final EpochTimes NONE = new EpochTimes(new float[0], 0);

  EpochTimes {
    if (seconds.length > TimesOfRounds.QUANTILES) {
      throw new IllegalArgumentException(
          seconds.length + " times: " + TimesOfRounds.QUANTILES + " at most are told");
    }
    for (float second : seconds) {
      check(second);
    }
    check(messageSeconds);
  }

  /** As they are measured. */
  static EpochTimes of(double[] measured, double messageSeconds) {
    float[] seconds = new float[measured.length];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = (float) measured[i];
    }
    return new EpochTimes(seconds, messageSeconds);
  }

  /** As a rank has told them; releases nothing. */
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
   * @throws IOException if it is nothing that a rank measures
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
      throw new IOException("the exchange's state has " + e.getMessage(), e);
    }
  }

  private static void check(double seconds) {
    if (!(seconds >= 0) || Double.isInfinite(seconds)) {
      throw new IllegalArgumentException("a time of " + seconds + " s: 0 or more is needed");
    }
  }
}
