package dev.braid.worker.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.exchange.FigureValues;
import dev.braid.learner.Learner.Score;
import dev.braid.learner.ValueErrors;
import dev.braid.ledger.LedgerSummary;
import dev.braid.wire.StateChecksum;
import dev.braid.worker.report.EpochSums;
import dev.braid.worker.report.Reports.Evaluated;
import dev.braid.worker.report.Reports.Finished;
import dev.braid.worker.report.Reports.ModelPart;
import dev.braid.worker.report.TestShare;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordBytesTest {

  private static final ValueErrors ERRORS =
      new ValueErrors(
          4, new double[] {0.1, Double.MIN_VALUE}, new double[2], new double[2], new double[2]);

  private static final Evaluated EVALUATED =
      new Evaluated(
          1,
          4,
          2,
          1_000_000_000_000L,
          new EpochSums(
              100,
              -0.0,
              7,
              8,
              new FigureValues(2, 3, 4, 0.1, 6, 7, Double.POSITIVE_INFINITY, 9),
              0,
              new Score(10, 9, Double.NaN)),
          new TestShare(3, 4),
          10_000);

  static Stream<Record> records() {
    return Stream.of(
        EVALUATED,
        new Finished(
            0,
            2,
            5,
            true,
            new Score(1, 2, 3),
            new Score(4, 0, -0.0, ERRORS),
            new byte[] {-1, 0, 1},
            new float[] {0.1f, -0f}),
        new ModelPart(0, 1, 2, 3, 4, 5, new float[] {Float.NaN, 1e-40f}),
        new LedgerSummary(0, 1, new long[] {600, Long.MAX_VALUE}, new long[] {0, 1}),
        new LedgerSummary(0, 1, new long[0], new long[0]),
        new Named("wörter", false));
  }

  /** A record of arrays of equal length. */
  public record Pair(long[] some, long[] others) {
    public Pair {
      if (some.length != others.length) {
        throw new IllegalArgumentException("arrays of one length are needed");
      }
    }
  }

  /** A record with component types that the other records lack. */
  record Named(String name, boolean is) {}

  @ParameterizedTest
  @MethodSource("records")
  void whatIsReadIsWhatWasWritten(Record record) throws IOException {
    assertThat(RecordBytes.read("a test", RecordBytes.of(record), record.getClass()))
        .usingRecursiveComparison()
        .withEqualsForType(Double::equals, Double.class)
        .withEqualsForType(Float::equals, Float.class)
        .isEqualTo(record);
  }

  @Test
  void aRecordOfOtherComponentsIsNamed() {
    byte[] bytes = RecordBytes.of(new Named("name", true));
    assertThatThrownBy(() -> RecordBytes.read("a test", bytes, Pair.class))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("(String name, boolean is)", "(long[] some, long[] others)");
  }

  @Test
  void bytesThatEndTooEarlyMakeNone() {
    byte[] whole = RecordBytes.of(EVALUATED);
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> RecordBytes.read("a test", part, Evaluated.class))
          .as("%d of %d bytes", length, whole.length)
          .isInstanceOf(IOException.class);
    }
  }

  /** Otherwise a loss, or a weight, would be another one. */
  @Test
  void aBitThatHasChangedMakesNone() {
    byte[] bytes = RecordBytes.of(new ModelPart(0, 1, 2, 3, 4, 5, new float[] {1}));
    for (int bit = 0; bit < Byte.SIZE * bytes.length; bit++) {
      byte[] other = bytes.clone();
      other[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatThrownBy(() -> RecordBytes.read("a test", other, ModelPart.class))
          .as("bit %d", bit)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("state is damaged");
    }
  }

  @Test
  void anArrayTakesNoMoreMemoryThanIsThere() {
    byte[] bytes = RecordBytes.of(new ModelPart(0, 1, 2, 3, 4, 5, new float[] {1}));
    for (int length : new int[] {-1, 2, Integer.MAX_VALUE}) {
      ByteBuffer.wrap(bytes).putInt(bytes.length - 3 * Integer.BYTES, length);
      StateChecksum.seal(bytes);
      assertThatThrownBy(() -> RecordBytes.read("a test", bytes, ModelPart.class))
          .isInstanceOf(IOException.class)
          .hasMessage("an array of " + length + " elements does not fit into 4 bytes");
    }
  }

  /** The record's own constructor refuses them. */
  @Test
  void valuesThatDoNotGoTogetherMakeNone() {
    byte[] bytes = RecordBytes.of(new Pair(new long[0], new long[0]));
    byte[] other = Arrays.copyOf(bytes, bytes.length + Long.BYTES);
    ByteBuffer.wrap(other).putInt(bytes.length - 2 * Integer.BYTES, 1);
    StateChecksum.seal(other);
    assertThatThrownBy(() -> RecordBytes.read("a test", other, Pair.class))
        .isInstanceOf(IOException.class)
        .hasMessage("state is not a valid Pair");
  }
}
