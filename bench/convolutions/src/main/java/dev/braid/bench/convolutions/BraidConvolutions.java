package dev.braid.bench.convolutions;

import dev.braid.learner.Batch;
import dev.braid.learner.Features;
import dev.braid.learner.Learner;
import dev.braid.learner.Shape;
import dev.braid.learner.layer.LayerSequence;
import dev.braid.learner.layer.Pass;
import dev.braid.learner.layer.StackBuilder;
import dev.braid.learner.math.NativeMath;
import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.network.Learners;
import dev.braid.learner.network.Models;
import dev.braid.learner.structure.ImageShape;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * Braid's own layers of {@code cnn} before its fully connected ones, with the settings of a
 * training.
 */
final class BraidConvolutions implements Runnable {

  private static final Shape DIGITS = new Shape(1, 28, 28, 10);

  private final LayerSequence layers;
  private final Pass pass;
  private final float[] gradient;
  private final float[] delta;

  BraidConvolutions() {
    NativeMath.useOneThread();
    ModelSpec spec = Models.of("cnn", DIGITS, 1);
    MultiLayerConfiguration model = spec.parsed();
    layers =
        new LayerSequence(
            StackBuilder.build(model, new ImageShape(1, 28, 28)).front(), DIGITS.features(), false);
    float[] features =
        ConvolutionBenchmark.noise(ConvolutionBenchmark.BATCH * DIGITS.features(), 1);
    pass =
        Pass.training(
            new Batch(
                0,
                IntStream.range(0, ConvolutionBenchmark.BATCH).toArray(),
                Features.dense(DIGITS.features(), features),
                new int[ConvolutionBenchmark.BATCH],
                false));
    try (Learner learner = Learners.create(spec, DIGITS)) {
      float[] weights = new float[learner.length()];
      learner.initialWeights(weights);
      gradient = new float[weights.length];
      layers.takeWeights(weights);
    }
    layers.reserve(ConvolutionBenchmark.BATCH);
    System.arraycopy(features, 0, layers.input(), 0, features.length);
    delta = ConvolutionBenchmark.noise(layers.outputDelta().length, 2);
  }

  @Override
  public void run() {
    layers.forward(pass);
    System.arraycopy(delta, 0, layers.outputDelta(), 0, delta.length);
    layers.backward(pass, gradient);
  }
}
