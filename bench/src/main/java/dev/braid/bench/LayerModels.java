package dev.braid.bench;

import dev.braid.learner.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BaseRecurrentLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.LSTM;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LocalResponseNormalization;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.PoolingType;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.ZeroPaddingLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.deeplearning4j.nn.conf.layers.recurrent.SimpleRnn;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.AMSGrad;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Small models, one around each layer, loss and optimiser that Braid supports. */
final class LayerModels {

  private static final int SIDE = 28;
  private static final int CLASSES = 10;
  private static final double RATE = 0.001;

  /** Shape of the samples of all models. */
  static final Shape SHAPE = new Shape(1, SIDE, SIDE, CLASSES);

  private final Map<String, MultiLayerConfiguration> models = new LinkedHashMap<>();

  private LayerModels() {}

  /** Returns the models by name; the name describes the part that the model tests. */
  static Map<String, MultiLayerConfiguration> all() {
    LayerModels all = new LayerModels();
    all.addRows();
    all.addImages();
    all.addPoolings();
    all.addSequences();
    all.addLosses();
    all.addUpdaters();
    return all.models;
  }

  /** Returns whether a model receives an image as a sequence of lines. */
  static boolean isOfSequences(MultiLayerConfiguration model) {
    Layer first = model.getConf(0).getLayer();
    return first instanceof BaseRecurrentLayer || first instanceof LastTimeStep;
  }

  private void addRows() {
    models.put("dense 512 relu", ofRows(dense(512, Activation.RELU)));
    models.put(
        "dense 2x256 relu", ofRows(dense(256, Activation.RELU), dense(256, Activation.RELU)));
    for (Activation activation :
        List.of(
            Activation.IDENTITY,
            Activation.LEAKYRELU,
            Activation.ELU,
            Activation.TANH,
            Activation.SIGMOID,
            Activation.GELU,
            Activation.SOFTPLUS)) {
      models.put("dense 512 " + name(activation), ofRows(dense(512, activation)));
    }
    models.put(
        "dropout", ofRows(dense(512, Activation.RELU), new DropoutLayer.Builder(0.5).build()));
    models.put(
        "batch normalisation, rows",
        ofRows(dense(512, Activation.IDENTITY), new BatchNormalization(), activation()));
  }

  private void addImages() {
    models.put("convolution 5x5", ofImages(convolution(5).build()));
    models.put("convolution 5x5, stride 2", ofImages(convolution(5).stride(2, 2).build()));
    models.put("convolution 3x3, dilation 2", ofImages(convolution(3).dilation(2, 2).build()));
    models.put("convolution 3x3, twice", ofImages(convolution(3).build(), convolution(3).build()));
    models.put(
        "convolution 3x3, with dropout",
        ofImages(convolution(3).build(), convolution(3).dropOut(0.5).build()));
    models.put(
        "batch normalisation, images",
        ofImages(convolution(5).build(), new BatchNormalization(), activation()));
    models.put(
        "zero padding",
        ofImages(new ZeroPaddingLayer.Builder(2, 2).build(), convolution(5).build()));
    models.put(
        "local response normalisation",
        ofImages(convolution(5).build(), new LocalResponseNormalization.Builder().build()));
  }

  private void addPoolings() {
    for (PoolingType type : List.of(PoolingType.MAX, PoolingType.AVG, PoolingType.PNORM)) {
      models.put("pooling, " + name(type), ofImages(convolution(5).build(), pooling(type)));
    }
    for (PoolingType type : PoolingType.values()) {
      models.put(
          "global pooling, " + name(type), ofImages(convolution(5).build(), globalPooling(type)));
    }
  }

  private void addSequences() {
    LSTM lstm = new LSTM.Builder().nOut(64).build();
    SimpleRnn simple = new SimpleRnn.Builder().nOut(64).activation(Activation.TANH).build();
    models.put("lstm", ofSequences(lstm, globalPooling(PoolingType.AVG)));
    models.put("lstm, last time step", ofSequences(new LastTimeStep(lstm.clone())));
    models.put("simple rnn", ofSequences(simple, globalPooling(PoolingType.AVG)));
    models.put("simple rnn, last time step", ofSequences(new LastTimeStep(simple.clone())));
  }

  private void addLosses() {
    addLoss(LossFunction.NEGATIVELOGLIKELIHOOD, Activation.SOFTMAX);
    addLoss(LossFunction.XENT, Activation.SIGMOID);
    addLoss(LossFunction.KL_DIVERGENCE, Activation.SOFTMAX);
    addLoss(LossFunction.MSE, Activation.IDENTITY);
    addLoss(LossFunction.L1, Activation.IDENTITY);
    addLoss(LossFunction.L2, Activation.TANH);
    addLoss(LossFunction.MEAN_ABSOLUTE_ERROR, Activation.SIGMOID);
    addLoss(LossFunction.MEAN_SQUARED_LOGARITHMIC_ERROR, Activation.SIGMOID);
    addLoss(LossFunction.POISSON, Activation.SOFTPLUS);
    addLoss(LossFunction.COSINE_PROXIMITY, Activation.SIGMOID);
  }

  private void addLoss(LossFunction loss, Activation activation) {
    models.put(
        "loss " + name(loss) + ", " + name(activation),
        model(
            InputType.feedForward(SHAPE.features()),
            new Sgd(RATE),
            loss,
            activation,
            dense(512, Activation.RELU)));
  }

  private void addUpdaters() {
    for (IUpdater updater :
        List.of(new Nesterovs(RATE, 0.9), new Adam(RATE), new AMSGrad(RATE), new RmsProp(RATE))) {
      models.put(
          "updater " + updater.getClass().getSimpleName().toLowerCase(Locale.ROOT),
          model(
              InputType.feedForward(SHAPE.features()),
              updater,
              LossFunction.MCXENT,
              Activation.SOFTMAX,
              dense(512, Activation.RELU)));
    }
  }

  // ---- layers ----------------------------------------------------------------------------------

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static Layer dense(int outputs, Activation activation) {
    return new DenseLayer.Builder().nOut(outputs).activation(activation).build();
  }

  private static Layer activation() {
    return new ActivationLayer.Builder().activation(Activation.RELU).build();
  }

  private static ConvolutionLayer.Builder convolution(int side) {
    return new ConvolutionLayer.Builder(side, side)
        .nOut(16)
        .convolutionMode(ConvolutionMode.Truncate)
        .activation(Activation.RELU);
  }

  private static Layer pooling(PoolingType type) {
    return new SubsamplingLayer.Builder(type).kernelSize(2, 2).stride(2, 2).pnorm(2).build();
  }

  private static Layer globalPooling(PoolingType type) {
    return new GlobalPoolingLayer.Builder(type).pnorm(2).build();
  }

  // ---- models ----------------------------------------------------------------------------------

  private static MultiLayerConfiguration ofRows(Layer... layers) {
    return model(InputType.feedForward(SHAPE.features()), layers);
  }

  private static MultiLayerConfiguration ofImages(Layer... layers) {
    return model(InputType.convolutionalFlat(SIDE, SIDE, 1), layers);
  }

  private static MultiLayerConfiguration ofSequences(Layer... layers) {
    return model(InputType.recurrent(SIDE, SIDE), layers);
  }

  private static MultiLayerConfiguration model(InputType input, Layer... layers) {
    return model(input, new Sgd(RATE), LossFunction.MCXENT, Activation.SOFTMAX, layers);
  }

  private static MultiLayerConfiguration model(
      InputType input, IUpdater updater, LossFunction loss, Activation last, Layer... layers) {
    NeuralNetConfiguration.ListBuilder list =
        new NeuralNetConfiguration.Builder().seed(1).updater(updater).list();
    for (Layer layer : layers) {
      list.layer(layer);
    }
    return list.layer(new OutputLayer.Builder(loss).nOut(CLASSES).activation(last).build())
        .setInputType(input)
        .build();
  }
}
