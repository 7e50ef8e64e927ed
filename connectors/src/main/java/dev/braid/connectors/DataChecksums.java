package dev.braid.connectors;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Samples;
import java.io.Serializable;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Checksums of a data set's samples, as learners get them: features after all scaling, and what a
 * model is to say of each. They do not change with the files' form, such as whether these are
 * compressed, and change with all that makes other samples.
 *
 * @param train CRC-32C of the samples to train with
 * @param test CRC-32C of those to test with
 */
public record DataChecksums(int train, int test) implements Serializable {

  /** Returns the checksums of samples that have been read. */
  static DataChecksums of(Samples train, Samples test) {
    return new DataChecksums(train.checksum(), test.checksum());
  }

  /** Returns the part about the samples to train with, of checksums that were written as text. */
  public static String trainPart(String text) {
    return text.split("-", 2)[0];
  }

  /**
   * Compares samples to train with to those that were there when the job was made.
   *
   * @throws SuppressRestartsException if they differ, as they would again after a restart
   */
  public Samples requireTrain(String place, Samples samples) {
    return require(place, "training", train, samples);
  }

  /** Reads the samples to test with, and compares them in the same way. */
  public Samples openTest(DataLocation location) {
    return require(location.place(), "test", test, location.openTest());
  }

  private static Samples require(String place, String part, int expected, Samples samples) {
    int found = samples.checksum();
    if (found != expected) {
      throw new SuppressRestartsException(
          new InvalidDataException(
              "%s: its %s samples have changed since the job was made: their checksum is %08x, and was %08x"
                  .formatted(place, part, found, expected)));
    }
    return samples;
  }

  /** Returns both in hexadecimal, with a hyphen between. */
  @Override
  public String toString() {
    return "%08x-%08x".formatted(train, test);
  }
}
