package dev.braid.job.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.braid.job.TrainingGraph;
import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.optimiser.Pace;
import dev.braid.learner.optimiser.Step;
import dev.braid.learner.optimiser.Updater;
import dev.braid.run.training.TrainedModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.regularization.Regularization;
import org.nd4j.linalg.learning.regularization.WeightDecay;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** {@code --updater adamw} compared with Deeplearning4j's Adam with a weight decay. */
class AdamWTest {

  private static final int SAMPLES = 20;
  private static final int CLASSES = 3;
  private static final double LEARNING_RATE = 0.02;
  private static final double DECAY = 0.01;
  private static final int STEPS = 50;

  @TempDir private Path folder;

  @Test
  void adamwIsAdamWithWeightsThatDecay() throws Exception {
    Random random = new Random(3);
    float[] values = new float[SAMPLES];
    int[] labels = new int[SAMPLES];
    INDArray oneHot = Nd4j.zeros(SAMPLES, CLASSES);
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < SAMPLES; i++) {
      values[i] = (float) random.nextGaussian();
      labels[i] = i % CLASSES;
      oneHot.putScalar(i, labels[i], 1);
      rows.append(values[i]).append(',').append(labels[i]).append('\n');
    }
    Path data = Files.writeString(folder.resolve("rows.csv"), rows);
    Files.writeString(folder.resolve("rows.test.csv"), rows);
    Path model = Files.writeString(folder.resolve("model.json"), model(0).toJson());
    TrainedModel trained =
        RunPlan.of(
                TrainingGraph.options(
                    "--workers=1",
                    "--batch=" + SAMPLES,
                    "--data={place: %s, classes: %d}".formatted(data, CLASSES),
                    "--model=" + model,
                    "--updater=adamw",
                    "--learning-rate=" + LEARNING_RATE))
            .trained();

    MultiLayerNetwork network = new MultiLayerNetwork(model(DECAY));
    network.init();
    Updater updater = trained.updater(Pace.STEPS);
    Batch batch = new Batch(0, new int[SAMPLES], Features.dense(1, values), labels, false);
    try (Learner learner = trained.learner()) {
      float[] weights = new float[learner.length()];
      learner.initialWeights(weights);
      float[][] state = trained.initialUpdaterState(weights.length);
      network.setParams(Nd4j.create(weights.clone()));
      float[] gradient = new float[weights.length];
      for (int step = 0; step < STEPS; step++) {
        learner.gradient(weights, batch, gradient);
        updater.step(weights, state, 0, new Step(gradient, SAMPLES, step));
        network.fit(Nd4j.create(values.clone(), new long[] {SAMPLES, 1}), oneHot);
      }
      assertThat(weights).containsExactly(network.params().toFloatVector(), within(1e-5f));
    }
    network.close();
  }

  /**
   * Returns a model with one feature, so that weights have the same order in Braid and in
   * Deeplearning4j.
   */
  private static MultiLayerConfiguration model(double decay) {
    List<Regularization> decays = decay > 0 ? List.of(new WeightDecay(decay, true)) : List.of();
    return new NeuralNetConfiguration.Builder()
        .seed(1)
        .updater(new Adam(LEARNING_RATE))
        .list()
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nIn(1)
                .nOut(CLASSES)
                .activation(Activation.SOFTMAX)
                .regularization(decays)
                .build())
        .build();
  }
}
