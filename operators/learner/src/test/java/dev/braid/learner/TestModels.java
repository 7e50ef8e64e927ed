package dev.braid.learner;

import dev.braid.learner.model.ModelSpec;
import dev.braid.learner.structure.ParameterOrder;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Small models and batches for tests. */
public final class TestModels {

  private TestModels() {}

  public static Batch batch(Shape shape, int size, long seed) {
    Random random = new Random(seed);
    float[] features = new float[size * shape.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = random.nextFloat();
    }
    int[] labels = new int[size];
    for (int i = 0; i < size; i++) {
      labels[i] = random.nextInt(shape.classes());
    }
    return batch(shape, features, labels);
  }

  /** Returns a batch in which most features are 0, and some are 0 in every sample. */
  public static Batch sparseBatch(Shape shape, int size, long seed) {
    Batch batch = batch(shape, size, seed);
    float[] features = batch.features().toArray();
    Random random = new Random(seed);
    for (int i = 0; i < features.length; i++) {
      boolean border = i % shape.features() % 5 == 0;
      if (border || random.nextInt(4) > 0) {
        features[i] = 0;
      }
    }
    return batch(shape, features, batch.labels());
  }

  /** Returns the same samples with values instead of classes. */
  public static Batch withValues(Batch batch, Targets.Values values) {
    return new Batch(batch.epoch(), batch.ids(), batch.features(), values, batch.lastOfEpoch());
  }

  /** Returns a batch of these samples, in the form that suits their features. */
  public static Batch batch(Shape shape, float[] features, int[] labels) {
    int[] ids = IntStream.range(0, labels.length).toArray();
    return new MatrixSamples(features, labels, shape).batch(0, ids, false);
  }

  public static MultiLayerConfiguration stack(
      Shape shape,
      int hidden,
      Activation activation,
      LossFunction loss,
      Activation last,
      UnaryOperator<NeuralNetConfiguration.Builder> settings) {
    return settings
        .apply(new NeuralNetConfiguration.Builder().seed(5))
        .list()
        .layer(
            new DenseLayer.Builder()
                .nIn(shape.features())
                .nOut(hidden)
                .activation(activation)
                .build())
        .layer(
            new OutputLayer.Builder(loss)
                .nIn(hidden)
                .nOut(shape.outputs())
                .activation(last)
                .build())
        .build();
  }

  public static MultiLayerConfiguration stack(
      Shape shape, UnaryOperator<NeuralNetConfiguration.Builder> settings) {
    return stack(shape, 7, Activation.TANH, LossFunction.MCXENT, Activation.SOFTMAX, settings);
  }

  public static ModelSpec spec(MultiLayerConfiguration model) {
    return new ModelSpec("test", model.toJson(), 5, new float[0], new float[0][], 0);
  }

  public static float[] initial(Learner learner) {
    float[] weights = new float[learner.length()];
    learner.initialWeights(weights);
    return weights;
  }

  public static INDArray features(Batch batch) {
    return Nd4j.create(
        batch.features().toArray(), new long[] {batch.size(), batch.features().width()});
  }

  public static INDArray labels(Batch batch, int outputs) {
    float[] wanted = new float[batch.size() * outputs];
    batch.targets().copyRows(0, batch.size(), outputs, wanted);
    return Nd4j.create(wanted, new long[] {batch.size(), outputs});
  }

  /** Returns a plain Deeplearning4j network with these weights. */
  public static MultiLayerNetwork network(ModelSpec spec, float[] weights) {
    MultiLayerNetwork network =
        new MultiLayerNetwork(MultiLayerConfiguration.fromJson(spec.configuration()));
    network.init();
    network.setParams(Nd4j.create(ParameterOrder.of(spec.parsed()).toDeeplearning4j(weights)));
    return network;
  }
}
