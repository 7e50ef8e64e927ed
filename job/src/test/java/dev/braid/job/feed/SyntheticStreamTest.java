package dev.braid.job.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.job.console.UsageException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyntheticStreamTest {

  private static final int MANY = 20_000;

  private static SyntheticStream stream(String typed) {
    return SyntheticStream.of(typed, 1);
  }

  private static boolean isPositive(FedSample sample) {
    return ((FedSample.NumberedClass) sample.label()).number() == 1;
  }

  private static double share(SyntheticStream stream, long from) {
    return LongStream.range(from, from + MANY).filter(id -> isPositive(stream.at(id))).count()
        / (double) MANY;
  }

  private static String text(FedSample sample, SyntheticStream stream) {
    return new String(RecordFormat.JSON.write(sample, stream.fields()), StandardCharsets.UTF_8);
  }

  private static List<String> records(SyntheticStream stream, int count) {
    List<String> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(text(stream.next(), stream));
    }
    return records;
  }

  @ParameterizedTest
  @ValueSource(strings = {"sea", "hyperplane:features=3", "linear:features=4"})
  void aSampleIsAFunctionOfSeedAndNumber(String typed) {
    List<String> records = records(SyntheticStream.of(typed, 7), 2_500);
    assertThat(records).doesNotHaveDuplicates();
    assertThat(records(SyntheticStream.of(typed, 7), 2_500)).isEqualTo(records);
    assertThat(records(SyntheticStream.of(typed, 8), 10)).doesNotContainAnyElementsOf(records);
    SyntheticStream other = SyntheticStream.of(typed, 7);
    for (int id : new int[] {2_400, 3, 1_999}) {
      assertThat(text(other.at(id), other)).isEqualTo(records.get(id));
    }
  }

  /** The shares are areas of the square below the line x1 + x2 = threshold, with noise. */
  @ParameterizedTest
  @CsvSource({"0, 0.32", "20000, 0.405", "40000, 0.245", "60000, 0.45125", "80000, 0.32"})
  void seaChangesItsThreshold(long from, double area) {
    assertThat(share(stream("sea:every=20000,noise=0"), from)).isCloseTo(area, within(0.01));
    assertThat(share(stream("sea:every=20000"), from))
        .isCloseTo(area * 0.9 + (1 - area) * 0.1, within(0.01));
  }

  @Test
  void seaFollowsItsThresholdToTheRecord() {
    SyntheticStream sea = stream("sea:every=100,noise=0");
    double[] thresholds = {8, 9, 7, 9.5};
    for (int id = 0; id < 1_000; id++) {
      FedSample sample = sea.at(id);
      float[] x = sample.features();
      assertThat(x).hasSize(3);
      for (float feature : x) {
        assertThat(feature).isBetween(0f, 10f);
      }
      assertThat(isPositive(sample)).isEqualTo(x[0] + x[1] <= thresholds[id / 100 % 4]);
    }
  }

  @Test
  void hyperplaneHasBothClassesEqually_howeverFarItHasDrifted() {
    SyntheticStream plane = stream("hyperplane:features=5,drift=0.01");
    assertThat(share(plane, 0)).isCloseTo(0.5, within(0.02));
    assertThat(share(plane, 1_000_000)).isCloseTo(0.5, within(0.02));
  }

  @Test
  void weightsOfAHyperplaneMoveEvenlyAndReverseAtTimes() {
    HyperplaneConcept plane = new HyperplaneConcept(1, 50, 0.001);
    int reversed = 0;
    int blocks = 100;
    for (int block = 0; block < blocks; block++) {
      long first = block * 1_000L;
      double[] begin = plane.weights(first);
      double[] middle = plane.weights(first + 500);
      double[] end = plane.weights(first + 1_000);
      double[] next = plane.weights(first + 1_001);
      for (int i = 0; i < begin.length; i++) {
        double moved = end[i] - begin[i];
        assertThat(Math.abs(moved)).isCloseTo(1, within(1e-6));
        assertThat(middle[i] - begin[i]).isCloseTo(moved / 2, within(1e-6));
        reversed += (next[i] - end[i]) * moved < 0 ? 1 : 0;
      }
    }
    assertThat(reversed / (50.0 * blocks)).isCloseTo(0.1, within(0.02));
    HyperplaneConcept still = new HyperplaneConcept(1, 50, 0);
    assertThat(still.weights(123_456)).isEqualTo(still.weights(0));
  }

  @Test
  void labelsOfAHyperplaneAreWrongAsOftenAsNoiseSays() {
    SyntheticStream clean = stream("hyperplane:noise=0");
    SyntheticStream noisy = stream("hyperplane");
    long wrong =
        LongStream.range(0, MANY)
            .filter(id -> isPositive(clean.at(id)) != isPositive(noisy.at(id)))
            .count();
    assertThat(wrong / (double) MANY).isCloseTo(0.05, within(0.01));
  }

  @Test
  void linearHasStandardNormalFeaturesAndOneModel() {
    SyntheticStream linear = stream("linear:features=4");
    double sum = 0;
    double squares = 0;
    int opposite = 0;
    LinearConcept model = new LinearConcept(1, 4);
    for (int id = 0; id < MANY; id++) {
      float[] x = linear.at(id).features();
      float[] negated = new float[x.length];
      for (int i = 0; i < x.length; i++) {
        sum += x[i];
        squares += x[i] * x[i];
        negated[i] = -x[i];
      }
      opposite += model.isPositive(id, x) == model.isPositive(0, negated) ? 0 : 1;
    }
    assertThat(opposite).isEqualTo(MANY);
    assertThat(sum / (4 * MANY)).isCloseTo(0, within(0.02));
    assertThat(squares / (4 * MANY)).isCloseTo(1, within(0.03));
    assertThat(share(linear, 0)).isCloseTo(0.5, within(0.02));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          see | --stream see: sea, hyperplane, linear sea?
          '' | --stream '': sea
          sea:evry=3 | evry every, noise every?
          sea:every | every=N
          sea:every= | every=N
          sea:every=0 | every=0 1000000000000
          sea:every=1,every=2 | every=2 twice
          sea:noise=1.5 | noise=1.5 0 to 1
          sea:noise=NaN | noise=NaN
          sea: | every, noise
          hyperplane:features=10001 | features=10001 10000
          linear:drift=0.1 | drift features, noise
          """)
  void aMistakeIsNamed(String typed, String words) {
    for (String word : words.split(" ", -1)) {
      assertThatThrownBy(() -> stream(typed))
          .isInstanceOf(UsageException.class)
          .hasMessageContaining(word);
    }
  }
}
