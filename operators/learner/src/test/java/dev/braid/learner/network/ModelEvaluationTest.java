package dev.braid.learner.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the measures that follow from a confusion matrix. The expected numbers are those of
 * scikit-learn 1.2.1: {@code average='macro'} over the labels that have samples, {@code
 * zero_division=0}.
 */
class ModelEvaluationTest {

  private static final Offset<Double> ROUNDING = within(1e-12);

  private static Stream<Arguments> matrices() {
    return Stream.of(
        // A class that the model never predicts.
        Arguments.of(
            new int[][] {{12, 3, 0}, {5, 6, 0}, {4, 0, 0}},
            new double[] {0.41269841269841273, 0.4484848484848485, 0.4222222222222222}),
        // A class without samples, and one of which no sample is found.
        Arguments.of(
            new int[][] {{9, 1, 0}, {3, 0, 0}, {0, 0, 0}},
            new double[] {0.375, 0.45, 0.4090909090909091}),
        // A class without samples that the model predicts.
        Arguments.of(
            new int[][] {{12, 0, 0, 3}, {5, 0, 0, 0}, {2, 0, 0, 0}, {0, 0, 0, 0}},
            new double[] {0.21052631578947367, 0.26666666666666666, 0.23529411764705885}),
        Arguments.of(new int[][] {{4, 0}, {0, 0}}, new double[] {1, 1, 1}));
  }

  @ParameterizedTest
  @MethodSource("matrices")
  void meansAreOverAllClassesThatHaveSamples(int[][] confusion, double[] expected) {
    ModelEvaluation evaluation =
        ModelEvaluation.of(confusion, 0.5, actual -> OptionalDouble.empty());
    assertThat(evaluation.precision()).isCloseTo(expected[0], ROUNDING);
    assertThat(evaluation.recall()).isCloseTo(expected[1], ROUNDING);
    assertThat(evaluation.f1()).isCloseTo(expected[2], ROUNDING);
  }

  @Test
  void eachClassIsHeldAgainstTheOthers() {
    ModelEvaluation evaluation =
        ModelEvaluation.of(
            new int[][] {{12, 3, 0}, {5, 6, 0}, {4, 0, 0}}, 0.5, actual -> OptionalDouble.of(0.7));
    assertThat(evaluation.samples()).isEqualTo(30);
    assertThat(evaluation.accuracy()).isEqualTo(0.6);
    assertThat(evaluation.classes().get(0).precision()).isCloseTo(4 / 7.0, ROUNDING);
    assertThat(evaluation.classes().get(1).f1()).isCloseTo(0.6, ROUNDING);
    assertThat(evaluation.classes().get(2))
        .isEqualTo(new ModelEvaluation.OfClass(4, 0, 0, 0, OptionalDouble.of(0.7)));
  }

  @Test
  void noCurveIsOfAClassThatNoSampleOrEverySampleHas() {
    ModelEvaluation evaluation =
        ModelEvaluation.of(new int[][] {{4, 0}, {0, 0}}, 0.5, actual -> OptionalDouble.of(1));
    assertThat(evaluation.classes()).allMatch(one -> one.auc().isEmpty());
  }
}
