package dev.braid.run.training;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;

/** Tests models for samples with different weights. */
class WeightedModelsTest {

  private static final Shape SHAPE = Shape.rows(4, 2);

  @Test
  void braidsLayersWeighSamples_andDeeplearning4jsDoNot() {
    MultiLayerConfiguration recurrent =
        new NeuralNetConfiguration.Builder()
            .list()
            .layer(new LastTimeStep(new LSTM.Builder().nOut(3).build()))
            .layer(new OutputLayer.Builder().nOut(2).activation(Activation.SOFTMAX).build())
            .setInputType(InputType.recurrent(2, 2))
            .build();
    ModelSpec deep =
        new ModelSpec("lstm.json", recurrent.toJson(), 1, new float[0], new float[0][], 0);
    ModelSpec mlp = ModelSpec.untried("mlp", SHAPE, 1);
    assertThatCode(() -> TrainingChecks.requireWeights(mlp)).doesNotThrowAnyException();
    assertThatThrownBy(() -> TrainingChecks.requireWeights(deep))
        .isInstanceOf(InvalidTrainingException.class)
        .hasMessageContainingAll("lstm.json", "weight");
  }
}
