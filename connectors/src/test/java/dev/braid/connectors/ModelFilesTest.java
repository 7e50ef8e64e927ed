package dev.braid.connectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.files.WholeFile;
import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import dev.braid.learner.optimiser.Clipping;
import dev.braid.learner.optimiser.EpochSchedule;
import dev.braid.learner.optimiser.Optimiser;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.optimiser.UpdaterSpec;
import dev.braid.learner.structure.ParameterOrder;
import dev.braid.vector.Range;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

class ModelFilesTest {

  private static final Shape SHAPE = new Shape(1, 8, 9, 4);

  @TempDir private Path folder;

  /** A training with one worker. */
  private static final class Training {
    private final ModelSpec spec;
    private final UpdaterSpec updaterSpec;
    private final Updater updater;
    private final Learner learner;
    private final float[] weights;
    private final float[][] state;
    private long steps;

    Training(ModelSpec spec, UpdaterSpec updaterSpec) {
      this.spec = spec;
      this.updaterSpec = updaterSpec;
      this.updater =
          new Optimiser(updaterSpec, EpochSchedule.CONSTANT, Clipping.NONE, spec.parameters(), 0)
              .create(Pace.STEPS);
      this.learner = Learners.create(spec, SHAPE);
      this.weights = new float[learner.length()];
      learner.initialWeights(weights);
      this.state = spec.initialState(updaterSpec, weights.length);
      this.steps = spec.initialSteps(updaterSpec);
    }

    void train(int count) {
      float[] gradient = new float[weights.length];
      Range all = Range.ofLength(weights.length);
      for (int i = 0; i < count; i++) {
        Batch batch = batch(steps);
        learner.gradient(weights, batch, gradient);
        updater.step(weights, state, 0, new Step(all, gradient, batch.size(), steps++));
      }
    }

    void save(Path file) throws IOException {
      WholeFile.write(file, out -> ModelFiles.write(out, spec, weights, state, steps, updaterSpec));
    }
  }

  private static Batch batch(long seed) {
    Random random = new Random(seed);
    float[] features = new float[6 * SHAPE.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = random.nextFloat();
    }
    return new Batch(
        0,
        new int[6],
        Features.dense(SHAPE.features(), features),
        random.ints(6, 0, 4).toArray(),
        false);
  }

  @ParameterizedTest
  @CsvSource({
    "mlp, sgd",
    "mlp, momentum",
    "mlp, adam",
    "mlp, amsgrad",
    "mlp, rmsprop",
    "cnn, adam",
    "logistic, adam",
    "normalised, momentum",
    "normalised, adam",
  })
  void goesOnHereAndInDeeplearning4j(String name, String updaterName) throws IOException {
    UpdaterSpec updater = UpdaterSpec.of(updaterName, OptionalDouble.of(0.003));
    String preset = name.equals("normalised") ? normalised().toString() : name;
    Path file = folder.resolve("model.zip");
    Training training = new Training(Models.of(preset, SHAPE, 3), updater);
    training.train(5);
    training.save(file);

    ModelSpec loaded = ModelFiles.load(file);
    assertThat(loaded.weights()).isEqualTo(training.weights);
    assertThat(loaded.updater()).isEqualTo(updater);
    assertThat(loaded.updaterState()).isDeepEqualTo(training.state);
    assertThat(loaded.steps()).isEqualTo(5);

    training.train(5);
    Training resumed = new Training(Models.of(file.toString(), SHAPE, 77), updater);
    resumed.train(5);
    assertThat(resumed.weights).isEqualTo(training.weights);
    assertThat(resumed.state).isDeepEqualTo(training.state);

    MultiLayerNetwork network = MultiLayerNetwork.load(file.toFile(), true);
    assertThat(network.getIterationCount()).isEqualTo(5);
    for (int step = 5; step < 10; step++) {
      Batch batch = batch(step);
      INDArray labels = Nd4j.zeros(batch.size(), SHAPE.classes());
      for (int i = 0; i < batch.size(); i++) {
        labels.putScalar(i, batch.labels()[i], 1);
      }
      network.fit(
          Nd4j.create(batch.features().toArray(), new long[] {batch.size(), SHAPE.features()}),
          labels);
    }
    float[] theirs =
        ParameterOrder.of(network.getLayerWiseConfigurations())
            .fromDeeplearning4j(network.params().toFloatVector());
    double difference = 0;
    for (int i = 0; i < theirs.length; i++) {
      difference = Math.max(difference, Math.abs(theirs[i] - training.weights[i]));
    }
    // A weight moves by about 0.01 in these steps, so that a lost state would show.
    assertThat(difference).isCloseTo(0, within(1e-5));
  }

  /** Saves a model with running statistics and weights that decay. */
  private Path normalised() throws IOException {
    MultiLayerConfiguration model =
        new NeuralNetConfiguration.Builder()
            .seed(3)
            .list()
            .layer(
                new DenseLayer.Builder()
                    .nIn(SHAPE.features())
                    .nOut(9)
                    .hasBias(false)
                    .activation(Activation.IDENTITY)
                    .weightDecay(0.1)
                    .build())
            .layer(new BatchNormalization.Builder().nIn(9).nOut(9).build())
            .layer(
                new OutputLayer.Builder(LossFunction.MCXENT)
                    .nIn(9)
                    .nOut(SHAPE.classes())
                    .activation(Activation.SOFTMAX)
                    .build())
            .build();
    return Files.writeString(folder.resolve("normalised.json"), model.toJson());
  }

  @Test
  void deeplearning4jGivesTheSameOutputs() throws IOException {
    Path file = folder.resolve("model.zip");
    Training training =
        new Training(Models.of("mlp", SHAPE, 3), UpdaterSpec.of("sgd", OptionalDouble.empty()));
    training.train(5);
    training.save(file);
    Batch batch = batch(1);
    INDArray output =
        MultiLayerNetwork.load(file.toFile(), true)
            .output(Nd4j.create(batch.features().toArray(), new long[] {6, SHAPE.features()}));
    double lossSum = 0;
    for (int i = 0; i < 6; i++) {
      lossSum -= Math.log(output.getDouble(i, batch.labels()[i]));
    }
    assertThat(training.learner.evaluate(training.weights, batch).lossSum())
        .isCloseTo(lossSum, within(1e-5));
  }

  /** Two jobs that save the same model write the same file, at any time. */
  @Test
  void noEntryHasATimeOfItsOwn() throws IOException {
    Path file = folder.resolve("model.zip");
    new Training(Models.of("logistic", SHAPE, 3), UpdaterSpec.of("adam", OptionalDouble.empty()))
        .save(file);
    try (ZipFile zip = new ZipFile(file.toFile())) {
      assertThat(zip.stream().map(ZipEntry::getTimeLocal).distinct())
          .containsExactly(LocalDateTime.of(1980, 1, 1, 0, 0));
    }
  }

  @Test
  void fileIsWholeOrNotThere() throws IOException {
    Path file = folder.resolve("model.zip");
    Files.writeString(file, "the model of yesterday");
    Training training =
        new Training(
            Models.of("logistic", SHAPE, 3), UpdaterSpec.of("adam", OptionalDouble.empty()));
    ModelSpec broken = new ModelSpec("x", "{", 0, new float[0], new float[0][], 0);
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    out ->
                        ModelFiles.write(
                            out,
                            broken,
                            training.weights,
                            training.state,
                            0,
                            training.updaterSpec)))
        .isInstanceOf(RuntimeException.class);
    assertThat(file).hasContent("the model of yesterday");
    training.save(file);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
    assertThat(ModelFiles.load(file).weights()).isEqualTo(training.weights);
  }

  /** Deeplearning4j counts steps in ints; a model must not be lost because of that. */
  @Test
  void aModelOfMoreStepsThanAnIntHasIsSaved() throws IOException {
    Path file = folder.resolve("model.zip");
    Training training =
        new Training(
            Models.of("logistic", SHAPE, 3), UpdaterSpec.of("adam", OptionalDouble.empty()));
    training.steps = Integer.MAX_VALUE + 5L;
    training.save(file);
    assertThat(ModelFiles.load(file).steps()).isEqualTo(Integer.MAX_VALUE);
  }
}
