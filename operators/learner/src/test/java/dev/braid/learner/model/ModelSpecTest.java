package dev.braid.learner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.learner.Batch;
import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.TestModels;
import dev.braid.learner.math.NativeVectors;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.learner.structure.ParameterOrder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.GradientNormalization;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.constraint.NonNegativeConstraint;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.dropout.GaussianDropout;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.conf.weightnoise.DropConnect;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Nadam;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.learning.regularization.L1Regularization;
import org.nd4j.linalg.learning.regularization.L2Regularization;
import org.nd4j.linalg.learning.regularization.WeightDecay;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.schedule.MapSchedule;
import org.nd4j.linalg.schedule.ScheduleType;
import org.nd4j.linalg.schedule.StepSchedule;

class ModelSpecTest {

  private static final Shape ROWS = Shape.rows(6, 3);
  private static final Shape IMAGES = new Shape(2, 9, 8, 3);

  @TempDir private Path folder;

  private Path write(MultiLayerConfiguration model) throws IOException {
    return Files.writeString(folder.resolve("model.json"), model.toJson());
  }

  private static NeuralNetConfiguration.Builder builder() {
    return new NeuralNetConfiguration.Builder().seed(1);
  }

  private static OutputLayer output(int inputs) {
    return new OutputLayer.Builder(LossFunction.MCXENT)
        .nIn(inputs)
        .nOut(3)
        .activation(Activation.SOFTMAX)
        .build();
  }

  private static MultiLayerConfiguration after(Layer layer) {
    return builder().list().layer(layer).layer(output(4)).build();
  }

  private static DenseLayer.Builder dense() {
    return new DenseLayer.Builder().nIn(6).nOut(4);
  }

  private void refused(MultiLayerConfiguration model, String... words) throws IOException {
    Path file = write(model);
    assertThatThrownBy(() -> Models.of(file.toString(), ROWS, 1))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("model " + file + ": ")
        .hasMessageContainingAll(words)
        .message()
        .hasLineCount(1);
  }

  @Test
  void refusesWhatParallelWorkersWouldTrainWrongly() throws IOException {
    refused(
        after(dense().dropOut(new GaussianDropout(0.5)).build()),
        "layer0",
        "dropout",
        "GaussianDropout");
    refused(
        after(
            dense()
                .dropOut(new Dropout(new StepSchedule(ScheduleType.EPOCH, 0.5, 0.5, 1)))
                .build()),
        "Dropout",
        "probability");
    refused(after(dense().weightNoise(new DropConnect(0.5)).build()), "weight noise");
    refused(
        after(
            dense()
                .regularization(
                    List.of(
                        new WeightDecay(new StepSchedule(ScheduleType.EPOCH, 0.5, 0.5, 1), true)))
                .build()),
        "L1",
        "L2",
        "WeightDecay");
    refused(
        after(dense().regularization(List.of(new WeightDecay(-0.1, true))).build()),
        "layer0",
        "WeightDecay",
        "-0.1");
    refused(
        after(dense().regularization(List.of(new L2Regularization(-1))).build()),
        "L2Regularization",
        "-1.0");
    refused(
        after(dense().regularizationBias(List.of(new L1Regularization(Double.NaN))).build()),
        "L1Regularization",
        "NaN");
    refused(after(dense().constrainWeights(new NonNegativeConstraint()).build()), "constraints");
    refused(
        after(dense().gradientNormalization(GradientNormalization.ClipL2PerLayer).build()),
        "ClipL2PerLayer");
    refused(after(dense().activation(Activation.RRELU).build()), "rrelu");
    refused(
        builder()
            .list()
            .layer(dense().build())
            .layer(new BatchNormalization.Builder(false).nIn(4).nOut(4).minibatch(false).build())
            .layer(output(4))
            .build(),
        "layer1",
        "minibatch");
    refused(
        builder()
            .list()
            .layer(new BatchNormalization.Builder().nIn(6).nOut(6).decay(1.5).build())
            .layer(output(6))
            .build(),
        "layer0",
        "decay 1.5",
        "1");
    refused(
        builder()
            .list()
            .layer(new BatchNormalization.Builder().nIn(6).nOut(6).eps(0).build())
            .layer(output(6))
            .build(),
        "layer0",
        "eps 0.0");
    refused(
        builder()
            .list()
            .layer(new LSTM.Builder().nIn(6).nOut(4).build())
            .layer(
                new RnnOutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(4)
                    .nOut(3)
                    .activation(Activation.SOFTMAX)
                    .build())
            .build(),
        "RnnOutputLayer");
    refused(builder().list().layer(dense().build()).build(), "OutputLayer");
    refused(TestModels.stack(ROWS, b -> b.dataType(DataType.DOUBLE)), "DOUBLE", "FLOAT");
    refused(TestModels.stack(ROWS, b -> b.miniBatch(false)), "miniBatch");
    refused(
        TestModels.stack(
            ROWS,
            4,
            Activation.TANH,
            LossFunction.HINGE,
            Activation.IDENTITY,
            UnaryOperator.identity()),
        "LossHinge");
    refused(
        TestModels.stack(
            ROWS,
            4,
            Activation.TANH,
            LossFunction.MEAN_ABSOLUTE_PERCENTAGE_ERROR,
            Activation.SIGMOID,
            UnaryOperator.identity()),
        "LossMAPE",
        "MEAN_ABSOLUTE_ERROR");
  }

  @Test
  void refusesWhatDoesNotFitTheData() throws IOException {
    refused(TestModels.stack(Shape.rows(7, 3), b -> b), "7", "6 features");
    refused(TestModels.stack(Shape.rows(6, 4), b -> b), "4", "3 classes");
    refused(convolution(InputType.convolutionalFlat(9, 8, 2)), "6 features");
    refused(convolution(InputType.convolutional(9, 8, 2)), "6 features");
    Path file = write(convolution(InputType.convolutional(9, 8, 2)));
    assertThatThrownBy(() -> Models.of(file.toString(), new Shape(2, 7, 8, 3), 1))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("2x7x8");
    assertThatThrownBy(() -> Models.of("cnn", ROWS, 1))
        .hasMessageContainingAll("model cnn", "6 features", "mlp", "logistic");
    assertThatThrownBy(() -> Models.of("cnn", new Shape(1, 28, 7, 2), 1))
        .hasMessageContainingAll("model cnn", "28x7", "8x8");
  }

  private static MultiLayerConfiguration convolution(InputType inputs) {
    return builder()
        .list()
        .layer(new ConvolutionLayer.Builder(3, 3).nOut(4).activation(Activation.TANH).build())
        .layer(new OutputLayer.Builder().nOut(3).activation(Activation.SOFTMAX).build())
        .setInputType(inputs)
        .build();
  }

  @Test
  void imagesComeFlatOrNot() throws IOException {
    Batch batch = TestModels.batch(IMAGES, 5, 1);
    float[][] gradients = new float[2][];
    int i = 0;
    for (InputType type :
        new InputType[] {InputType.convolutionalFlat(9, 8, 2), InputType.convolutional(9, 8, 2)}) {
      ModelSpec spec = Models.of(write(convolution(type)).toString(), IMAGES, 1);
      try (Learner learner = Learners.create(spec, IMAGES)) {
        gradients[i] = new float[learner.length()];
        learner.gradient(TestModels.initial(learner), batch, gradients[i++]);
      }
    }
    assertThat(gradients[1]).isEqualTo(gradients[0]);
  }

  @Test
  void refusesWhatIsNoModel() throws IOException {
    assertThatThrownBy(() -> Models.of("mlpp", ROWS, 1))
        .hasMessageContainingAll("model mlpp", "cnn, cnn-cifar, logistic, mlp");
    for (String content : new String[] {"", "{}", "nonsense", "PK nonsense", "{\"a\": [1,"}) {
      Path file = Files.writeString(folder.resolve("broken"), content);
      assertThatThrownBy(() -> Models.of(file.toString(), ROWS, 1))
          .as(content)
          .isInstanceOf(InvalidModelException.class)
          .hasMessageStartingWith("model " + file)
          .message()
          .doesNotContain("Exception")
          .hasLineCount(1);
    }
    ComputationGraphConfiguration graph =
        builder()
            .graphBuilder()
            .addInputs("in")
            .addLayer("out", output(6), "in")
            .setOutputs("out")
            .build();
    Path file = Files.writeString(folder.resolve("graph.json"), graph.toJson());
    assertThatThrownBy(() -> Models.of(file.toString(), ROWS, 1))
        .hasMessageContainingAll("model " + file, "ComputationGraph", "MultiLayerNetwork");
  }

  /** Editing JSON by hand may leave a null. */
  @Test
  void refusesWhatHasNullInIt() throws IOException {
    refusedWithNull(conf -> conf.setLayer(null), "layer 0", "null");
    refusedWithNull(
        conf -> ((BaseLayer) conf.getLayer()).setActivationFn(null),
        "layer0",
        "activationFn",
        "null");
    refusedWithNull(
        conf -> ((BaseLayer) conf.getLayer()).setWeightInitFn(null),
        "layer0",
        "weightInitFn",
        "null");
    MultiLayerConfiguration model = TestModels.stack(ROWS, UnaryOperator.identity());
    ((OutputLayer) model.getConf(1).getLayer()).setLossFn(null);
    refused(model, "layer1", "lossFn", "null");
    refused(after(withoutKernel()), "layer0", "kernelSize", "null");
    Path file = Files.writeString(folder.resolve("null.json"), "{\"confs\": [null]}");
    assertThatThrownBy(() -> Models.of(file.toString(), ROWS, 1))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("null");
  }

  private void refusedWithNull(Consumer<NeuralNetConfiguration> damage, String... words)
      throws IOException {
    MultiLayerConfiguration model = TestModels.stack(ROWS, UnaryOperator.identity());
    damage.accept(model.getConf(0));
    refused(model, words);
  }

  private static ConvolutionLayer withoutKernel() {
    ConvolutionLayer layer = new ConvolutionLayer.Builder(3, 3).nIn(1).nOut(4).build();
    layer.setKernelSize(null);
    return layer;
  }

  @Test
  void refusesASavedModelWithNumbersThatAreNone() throws IOException {
    refusedZip(network -> network.params().putScalar(3, Float.NaN), "weight ", "NaN");
    refusedZip(
        network -> network.params().putScalar(0, Float.NEGATIVE_INFINITY), "weight 0", "-Infinity");
    refusedZip(
        network -> network.getUpdater().getStateViewArray().putScalar(5, Float.NaN),
        "updater",
        "5",
        "NaN");
    refusedZip(
        network -> network.getLayerWiseConfigurations().setIterationCount(-7),
        "iterationCount",
        "-7");
  }

  private void refusedZip(Consumer<MultiLayerNetwork> damage, String... words) throws IOException {
    MultiLayerNetwork network =
        new MultiLayerNetwork(TestModels.stack(ROWS, b -> b.updater(new Adam(0.01))));
    network.init();
    Batch batch = TestModels.batch(ROWS, 8, 1);
    network.fit(TestModels.features(batch), TestModels.labels(batch, 3));
    damage.accept(network);
    Path file = folder.resolve("model.zip");
    network.save(file.toFile(), true);
    assertThatThrownBy(() -> Models.of(file.toString(), ROWS, 1))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageStartingWith("model " + file + ": ")
        .message()
        .contains(words)
        .hasLineCount(1);
  }

  @Test
  void takesTheModelsOwnUpdater() throws IOException {
    assertThat(updater(TestModels.stack(ROWS, b -> b.updater(new Sgd(0.3)))))
        .isEqualTo(new UpdaterSpec.Sgd(0.3));
    assertThat(updater(TestModels.stack(ROWS, b -> b.updater(new Nesterovs(0.3, 0.8)))))
        .isEqualTo(new UpdaterSpec.Momentum(0.3, 0.8));
    assertThat(updater(TestModels.stack(ROWS, b -> b.updater(new Adam(0.3, 0.8, 0.7, 1e-6)))))
        .isEqualTo(new UpdaterSpec.Adam(0.3, 0.8, 0.7, 1e-6));
    assertThat(updater(TestModels.stack(ROWS, b -> b.updater(new RmsProp(0.3, 0.8, 1e-6)))))
        .isEqualTo(new UpdaterSpec.RmsProp(0.3, 0.8, 1e-6));
    assertThat(updater(TestModels.stack(ROWS, b -> b.updater(new AMSGrad(0.3, 0.8, 0.7, 1e-6)))))
        .isEqualTo(new UpdaterSpec.AmsGrad(0.3, 0.8, 0.7, 1e-6));
    assertThatThrownBy(() -> updater(TestModels.stack(ROWS, b -> b.updater(new Nadam(0.1)))))
        .hasMessageContainingAll("layer0", "Nadam", "Sgd, Nesterovs, Adam, AMSGrad", "`updater`");
    MapSchedule schedule = new MapSchedule.Builder(ScheduleType.EPOCH).add(0, 0.1).build();
    assertThatThrownBy(() -> updater(TestModels.stack(ROWS, b -> b.updater(new Sgd(schedule)))))
        .hasMessageContaining("schedule");
    assertThatThrownBy(() -> updater(after(dense().updater(new Sgd(0.7)).build())))
        .hasMessageContainingAll("layer1", "updater");
    assertThatThrownBy(() -> updater(after(dense().biasUpdater(new Sgd(0.7)).build())))
        .hasMessageContainingAll("layer0", "updater");
  }

  private UpdaterSpec updater(MultiLayerConfiguration model) throws IOException {
    return Models.of(write(model).toString(), ROWS, 1).updater();
  }

  @Test
  void goesOnFromSavedModel() throws IOException {
    Batch batch = TestModels.batch(ROWS, 8, 1);
    MultiLayerNetwork network =
        new MultiLayerNetwork(TestModels.stack(ROWS, b -> b.updater(new Adam(0.01))));
    network.init();
    for (int i = 0; i < 3; i++) {
      network.fit(TestModels.features(batch), TestModels.labels(batch, 3));
    }
    Path file = folder.resolve("model.zip");
    network.save(file.toFile(), true);
    ModelSpec spec = serialised(Models.of(file.toString(), ROWS, 1));
    ParameterOrder order = ParameterOrder.of(spec.parsed());
    assertThat(order.toDeeplearning4j(spec.weights()))
        .isEqualTo(NativeVectors.toArray(network.params()));
    UpdaterSpec adam = spec.updater();
    assertThat(spec.steps()).isEqualTo(3);
    assertThat(spec.initialSteps(adam)).isEqualTo(3);
    int length = spec.weights().length;
    float[] moments = NativeVectors.toArray(network.getUpdater().getStateViewArray());
    assertThat(order.toDeeplearning4j(spec.initialState(adam, length)[1]))
        .isEqualTo(Arrays.copyOfRange(moments, length, 2 * length));
    UpdaterSpec sgd = UpdaterSpec.of("sgd", OptionalDouble.empty());
    assertThat(spec.initialSteps(sgd)).isZero();
    assertThat(spec.initialState(sgd, spec.weights().length)).isEmpty();
    try (Learner learner = Learners.create(spec, ROWS)) {
      assertThat(TestModels.initial(learner)).isEqualTo(spec.weights());
    }
    network.save(file.toFile(), false);
    assertThat(Models.of(file.toString(), ROWS, 1).initialSteps(adam)).isZero();
  }

  private static ModelSpec serialised(ModelSpec spec) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(spec);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (ModelSpec) in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void seedDecidesTheWeights() throws IOException {
    String file = write(TestModels.stack(ROWS, b -> b.seed(99))).toString();
    assertThat(initial(Models.of(file, ROWS, 1))).isEqualTo(initial(Models.of(file, ROWS, 1)));
    assertThat(initial(Models.of(file, ROWS, 2))).isNotEqualTo(initial(Models.of(file, ROWS, 1)));
  }

  private static float[] initial(ModelSpec spec) {
    try (Learner learner = Learners.create(spec, ROWS)) {
      return TestModels.initial(learner);
    }
  }

  /**
   * A saved model contains the class weights, to the bit, and Deeplearning4j's own loss uses them.
   */
  @Test
  void classWeightsAreSavedWithTheModel() throws IOException {
    double[] classWeights = {1.0 / 3, 0, 16_777_217.25};
    ModelSpec weighted =
        TestModels.spec(TestModels.stack(ROWS, b -> b)).withClassWeights(classWeights);
    Path file = folder.resolve("model.zip");
    float[] weights = new float[weighted.length()];
    try (OutputStream out = Files.newOutputStream(file)) {
      ModelZipWriter.write(out, weighted.parsed(), weights, new float[0][]);
    }
    assertThat(ModelSpec.read(file, 1).classWeights()).containsExactly(classWeights);
    assertThat(weighted.withClassWeights(new double[0]).classWeights()).isEmpty();
    MultiLayerNetwork network = MultiLayerNetwork.load(file.toFile(), false);
    Batch batch = TestModels.batch(ROWS, new float[6], new int[] {0});
    assertThat(
            network.score(
                new DataSet(TestModels.features(batch), TestModels.labels(batch, 3)), false))
        .isCloseTo(Math.log(3) / 3, within(1e-6));
  }

  @Test
  void guessingIsAsBadAsSamplesCount() {
    ModelSpec plain = TestModels.spec(TestModels.stack(ROWS, b -> b));
    assertThat(plain.guessingLoss(List.of(6, 3, 1))).isEqualTo(Math.log(3));
    assertThat(plain.withClassWeights(new double[] {1, 2, 8}).guessingLoss(List.of(6, 3, 1)))
        .isCloseTo(2 * Math.log(3), within(1e-12));
  }

  @Test
  void onlyACrossEntropyHasClassWeights() {
    ModelSpec squares =
        TestModels.spec(
            TestModels.stack(
                ROWS, 7, Activation.TANH, LossFunction.MSE, Activation.IDENTITY, b -> b));
    assertThat(squares.classWeights()).isEmpty();
    assertThatThrownBy(() -> squares.withClassWeights(new double[] {1, 2, 3}))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContaining("MCXENT");
  }
}
