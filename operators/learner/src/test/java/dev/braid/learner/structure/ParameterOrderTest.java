package dev.braid.learner.structure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import java.util.Arrays;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterOrderTest {

  private static final Shape IMAGES = new Shape(1, 8, 9, 4);

  @ParameterizedTest
  @ValueSource(strings = {"logistic", "mlp", "cnn"})
  void thereAndBackIsTheSame(String preset) {
    ModelSpec spec = Models.of(preset, IMAGES, 1);
    ParameterOrder order = ParameterOrder.of(spec.parsed());
    try (Learner learner = Learners.create(spec, IMAGES)) {
      float[] vector = new float[learner.length()];
      for (int i = 0; i < vector.length; i++) {
        vector[i] = i;
      }
      float[] theirs = order.toDeeplearning4j(vector);
      assertThat(order.fromDeeplearning4j(theirs)).isEqualTo(vector);
      float[] sorted = theirs.clone();
      Arrays.sort(sorted);
      assertThat(sorted).isEqualTo(vector);
      if (preset.equals("cnn")) {
        int convolutions = (25 * 10 + 10) + (250 * 20 + 20) + (500 * 100 + 100);
        assertThat(Arrays.copyOf(theirs, convolutions))
            .isEqualTo(Arrays.copyOf(vector, convolutions));
        assertThat(theirs).isNotEqualTo(vector);
      }
    }
  }

  @Test
  void anInputsWeightsAreSideBySide() {
    ModelSpec spec = Models.of("mlp", IMAGES, 1);
    try (Learner learner = Learners.create(spec, IMAGES)) {
      float[] weights = TestModels.initial(learner);
      MultiLayerNetwork network = TestModels.network(spec, weights);
      int hidden = 512;
      int second = IMAGES.features() * hidden + hidden;
      for (int[] at : new int[][] {{0, 0}, {3, 7}, {71, 511}}) {
        assertThat(weights[at[0] * hidden + at[1]])
            .isEqualTo(network.getParam("0_W").getFloat(at[0], at[1]));
      }
      assertThat(weights[second + 5 * 4 + 2]).isEqualTo(network.getParam("1_W").getFloat(5, 2));
      assertThat(weights[second + 512 * 4 + 3]).isEqualTo(network.getParam("1_b").getFloat(3));
    }
  }
}
