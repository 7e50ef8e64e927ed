package dev.braid.learner.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.braid.learner.Batch;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.layer.StackBuilder;
import dev.braid.learner.model.BatchLimit;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.structure.ImageShape;
import dev.braid.learner.structure.Regularisation;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * Tests limits on large batches. Only configurations are examined, so nothing large is allocated.
 */
class BatchLimitTest {

  private static final int MILLION = 1 << 20;

  @Test
  void countsWhatALayerMakesOfABatch() {
    Shape shape = Shape.rows(6, 3);
    ModelSpec dense =
        spec(InputType.feedForward(6), new DenseLayer.Builder().nOut(MILLION).build());
    assertThatCode(() -> dense.checkBatch(shape, 2047)).doesNotThrowAnyException();
    assertThatThrownBy(() -> dense.checkBatch(shape, 2048))
        .isInstanceOf(InvalidModelException.class)
        .hasMessage(
            "model test: a layer computes 1,048,576 numbers per sample: a batch of 2,048 is too"
                + " large; must be 2,047 or less");
  }

  @Test
  void countsWhatAConvolutionMakes_andTheImagesThemselves() {
    Shape shape = new Shape(1, 512, 512, 3);
    InputType images = InputType.convolutionalFlat(512, 512, 1);
    ModelSpec wide = spec(images, new ConvolutionLayer.Builder(1, 1).nOut(64).build());
    assertThatCode(() -> wide.checkBatch(shape, 127)).doesNotThrowAnyException();
    assertThatThrownBy(() -> wide.checkBatch(shape, 128))
        .hasMessageContaining("16,777,216 numbers");
    ModelSpec narrow =
        spec(images, new ConvolutionLayer.Builder(1, 1).stride(8, 8).nOut(2).build());
    assertThatThrownBy(() -> narrow.checkBatch(shape, 8192))
        .hasMessageContaining("262,144 numbers");
  }

  @Test
  void countsAllStepsOfASequence() {
    ModelSpec recurrent =
        spec(InputType.recurrent(4, 1000), new LSTM.Builder().nOut(1 << 10).build());
    assertThatCode(() -> recurrent.checkBatch(Shape.rows(4000, 3), 2097))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> recurrent.checkBatch(Shape.rows(4000, 3), 2098))
        .hasMessageContaining("1,024,000 numbers");
  }

  /** Only a tenth of the rows of one evaluation step fits into an array. */
  @Test
  void aLearnerRefusesIt_andEvaluatesInPieces() {
    Shape shape = Shape.rows(2, 3);
    ModelSpec dense = TestModels.spec(TestModels.stack(shape, settings -> settings));
    BatchLimit limit = new BatchLimit("test", Integer.MAX_VALUE / 25);
    try (Learner learner =
            new StackLearner(
                dense,
                limit,
                dense.parsed(),
                Regularisation.of(Learners.network(dense, dense.parsed())),
                StackBuilder.build(dense.parsed(), new ImageShape(2, 1, 1)),
                2);
        Learner unlimited = Learners.create(dense, shape)) {
      float[] weights = TestModels.initial(learner);
      Batch many = TestModels.batch(shape, 100, 1);
      assertThatThrownBy(() -> learner.gradient(weights, many, new float[weights.length]))
          .isInstanceOf(InvalidModelException.class)
          .hasMessageContaining("a batch of 100 is too large");
      assertThat(learner.evaluate(weights, many).correct())
          .isEqualTo(unlimited.evaluate(weights, many).correct());
    }
  }

  @Test
  void windowsThatSeeTooMuchAreRefused() {
    Shape shape = new Shape(1, 1000, 1000, 3);
    ModelSpec spec =
        spec(
            InputType.convolutionalFlat(1000, 1000, 1),
            new ConvolutionLayer.Builder(64, 64).nOut(1).build());
    assertThatThrownBy(
            () -> StackBuilder.build(spec.parsed(), new ImageShape(shape.channels(), 1_000, 1_000)))
        .isInstanceOf(ArithmeticException.class);
  }

  private static ModelSpec spec(InputType input, BaseLayer layer) {
    return TestModels.spec(
        new NeuralNetConfiguration.Builder()
            .list()
            .layer(layer)
            .layer(
                layer instanceof LSTM
                    ? new GlobalPoolingLayer.Builder(PoolingType.AVG).build()
                    : new ActivationLayer(Activation.TANH))
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nOut(3)
                    .activation(Activation.SOFTMAX)
                    .build())
            .setInputType(input)
            .build());
  }
}
