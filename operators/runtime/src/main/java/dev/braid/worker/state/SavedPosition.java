package dev.braid.worker.state;

import dev.braid.wire.DamagedStateException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.OptionalInt;

/**
 * A rank's position in a run, as a checkpoint contains it.
 *
 * @param completedRounds number of rounds that the rank has completed
 * @param steps number of steps that the updater has taken
 * @param epochs number of epochs that these steps are; the schedule of the learning rate continues
 *     from it with any number of workers
 * @param openEpoch an epoch that had ended and was not closed
 * @param endedEpochs number of epochs that had ended
 */
public record SavedPosition(
    long completedRounds, long steps, double epochs, OptionalInt openEpoch, int endedEpochs) {

  private static final int NO_EPOCH = -1;

  /**
   * Returns the position of a run that begins.
   *
   * @param steps number of steps that the model's updater has taken before
   */
  public static SavedPosition start(long steps) {
    return new SavedPosition(0, steps, 0, OptionalInt.empty(), 0);
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(completedRounds);
    out.writeLong(steps);
    out.writeDouble(epochs);
    out.writeInt(openEpoch.orElse(NO_EPOCH));
    out.writeInt(endedEpochs);
  }

  static SavedPosition read(DataInput in) throws IOException {
    long completedRounds = in.readLong();
    long steps = in.readLong();
    double epochs = in.readDouble();
    if (!(epochs >= 0 && Double.isFinite(epochs))) {
      throw new DamagedStateException(
          ReplicaPart.NAME, "its epoch is " + epochs + ": must be finite, and 0 or more");
    }
    int openEpoch = in.readInt();
    return new SavedPosition(
        completedRounds,
        steps,
        epochs,
        openEpoch == NO_EPOCH ? OptionalInt.empty() : OptionalInt.of(openEpoch),
        in.readInt());
  }
}
