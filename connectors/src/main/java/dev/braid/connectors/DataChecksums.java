package dev.braid.connectors;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Samples;
import java.io.Serializable;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Checksums of a data set's samples as learners receive them: features after all scaling, and
 * targets. They do not depend on the files' form, such as compression, but on everything that
 * changes the samples.
 *
 * @param train CRC-32C of the training samples
 * @param test CRC-32C of the test samples
 */
public record DataChecksums(int train, int test) implements Serializable {

  /** Returns the checksums of samples that have been read. */
  static DataChecksums of(Samples train, Samples test) {
    return new DataChecksums(train.checksum(), test.checksum());
  }

  /** Returns the training samples' part of checksums in the form of {@link #toString}. */
  public static String trainPart(String text) {
    return text.split("-", 2)[0];
  }

  /**
   * Compares training samples with those for which the job was created.
   *
   * @throws SuppressRestartsException if they differ, because they would differ again after a
   *     restart
   */
  public Samples requireTrain(String place, Samples samples) {
    return require(place, "training", train, samples);
  }

  /** Reads the test samples, and compares them in the same way. */
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

  /** Returns both checksums in hexadecimal, with a hyphen between them. */
  @Override
  public String toString() {
    return "%08x-%08x".formatted(train, test);
  }
}
