package dev.braid.learner.model;

import dev.braid.learner.InvalidModelException;
import dev.braid.learner.Shape;
import dev.braid.learner.optimiser.Updater;
import dev.braid.learner.structure.RecurrentLayers;
import dev.braid.learner.structure.Regularisation;
import java.util.Set;
import org.deeplearning4j.nn.api.OptimizationAlgorithm;
import org.deeplearning4j.nn.conf.BackpropType;
import org.deeplearning4j.nn.conf.CNN2DFormat;
import org.deeplearning4j.nn.conf.GradientNormalization;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.dropout.IDropout;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.BaseLayer;
import org.deeplearning4j.nn.conf.layers.BaseOutputLayer;
import org.deeplearning4j.nn.conf.layers.BaseRecurrentLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.GlobalPoolingLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.LocalResponseNormalization;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.conf.layers.ZeroPaddingLayer;
import org.deeplearning4j.nn.conf.layers.recurrent.LastTimeStep;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationRReLU;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.lossfunctions.ILossFunction;
import org.nd4j.linalg.lossfunctions.impl.LossBinaryXENT;
import org.nd4j.linalg.lossfunctions.impl.LossCosineProximity;
import org.nd4j.linalg.lossfunctions.impl.LossKLD;
import org.nd4j.linalg.lossfunctions.impl.LossL1;
import org.nd4j.linalg.lossfunctions.impl.LossL2;
import org.nd4j.linalg.lossfunctions.impl.LossMAE;
import org.nd4j.linalg.lossfunctions.impl.LossMAPE;
import org.nd4j.linalg.lossfunctions.impl.LossMCXENT;
import org.nd4j.linalg.lossfunctions.impl.LossMSE;
import org.nd4j.linalg.lossfunctions.impl.LossMSLE;
import org.nd4j.linalg.lossfunctions.impl.LossNegativeLogLikelihood;
import org.nd4j.linalg.lossfunctions.impl.LossPoisson;

/**
 * Rejects models whose training would silently be wrong.
 *
 * <p>Workers exchange sums of samples' gradients, and replicas must agree bit for bit. A gradient
 * must therefore be a sum over samples, and a pure function of weights and batch. Everything that
 * Deeplearning4j does between gradient and weights must be something that {@link Updater} and
 * {@link Regularisation} do, too. The check lists what is allowed, not what is forbidden, so that
 * an unknown layer is rejected.
 */
public final class ModelCheck {

  /** Accepted layers, in addition to those of {@link RecurrentLayers}. */
  static final Set<Class<? extends Layer>> LAYERS =
      Set.of(
          DenseLayer.class,
          ActivationLayer.class,
          BatchNormalization.class,
          DropoutLayer.class,
          ConvolutionLayer.class,
          SubsamplingLayer.class,
          ZeroPaddingLayer.class,
          GlobalPoolingLayer.class,
          LocalResponseNormalization.class,
          OutputLayer.class);

  /** Accepted losses: sums over samples that accept one-hot labels. */
  private static final Set<Class<? extends ILossFunction>> LOSSES =
      Set.of(
          LossMCXENT.class,
          LossNegativeLogLikelihood.class,
          LossBinaryXENT.class,
          LossKLD.class,
          LossMSE.class,
          LossL1.class,
          LossL2.class,
          LossMAE.class,
          LossMSLE.class,
          LossPoisson.class,
          LossCosineProximity.class);

  /**
   * Accepted losses that also accept arbitrary values as labels; the other losses need
   * probabilities.
   */
  private static final Set<Class<? extends ILossFunction>> LOSSES_OF_VALUES =
      Set.of(
          LossMSE.class,
          LossL1.class,
          LossL2.class,
          LossMAE.class,
          LossMSLE.class,
          LossPoisson.class,
          LossCosineProximity.class);

  private ModelCheck() {}

  /**
   * Checks that a model can be trained faithfully by parallel workers.
   *
   * @param name the user's name for the model, for messages
   * @throws InvalidModelException if it cannot
   */
  public static void check(String name, MultiLayerConfiguration model) {
    if (model.getConfs() == null || model.getConfs().isEmpty()) {
      throw new InvalidModelException("model " + name + ": has no layers; needs one or more");
    }
    if (model.getDataType() != DataType.FLOAT) {
      throw new InvalidModelException(
          "model " + name + ": data type " + model.getDataType() + ": must be FLOAT");
    }
    if (model.getBackpropType() != BackpropType.Standard) {
      throw new InvalidModelException(
          "model " + name + ": backprop " + model.getBackpropType() + ": must be Standard");
    }
    need("model " + name, "inputPreProcessors", model.getInputPreProcessors());
    int layers = model.getConfs().size();
    for (int i = 0; i < layers; i++) {
      checkLayer(layerName(name, model, i), model.getConf(i), i == layers - 1);
    }
  }

  /**
   * Checks a model's outputs against the targets of the samples.
   *
   * @throws InvalidModelException if the number of outputs differs, or the model predicts classes
   *     and the samples have values
   */
  public static void checkOutputs(String name, MultiLayerConfiguration model, Shape shape) {
    int last = model.getConfs().size() - 1;
    OutputLayer layer = (OutputLayer) model.getConf(last).getLayer();
    boolean takesValues = LOSSES_OF_VALUES.contains(layer.getLossFn().getClass());
    if (shape.hasValues() && !takesValues) {
      throw new InvalidModelException(
          layerName(name, model, last)
              + ": loss "
              + layer.getLossFn()
              + ": is a loss for classes, but the data has values: use MSE, L1, L2, "
              + "MEAN_ABSOLUTE_ERROR or POISSON, or data with classes, without `regression`");
    }
    if (layer.getNOut() != shape.outputs()) {
      throw new InvalidModelException(
          "model "
              + name
              + ": "
              + layer.getNOut()
              + " outputs: must match the data's "
              + shape.outputs()
              + (shape.hasValues() ? " values" : " classes")
              + (takesValues && !shape.hasValues()
                  ? "; the loss " + layer.getLossFn() + " needs values: use `regression`"
                  : ""));
    }
  }

  private static void checkLayer(String where, NeuralNetConfiguration conf, boolean last) {
    checkParts(where, conf);
    Layer layer = conf.getLayer();
    boolean known = LAYERS.contains(layer.getClass()) || RecurrentLayers.inner(layer).isPresent();
    if (!known || (layer instanceof OutputLayer) != last) {
      throw new InvalidModelException(
          where
              + ": a "
              + layer.getClass().getSimpleName()
              + (last ? " at the end" : "")
              + ": only feed-forward, convolution and recurrent layers are possible, with one "
              + "OutputLayer at the end");
    }
    if (layer instanceof LastTimeStep) {
      RecurrentLayers.inner(layer).ifPresent(inner -> checkInner(where, inner));
    }
    checkDropout(where, layer);
    refuse(
        where,
        "constraints " + layer.getConstraints(),
        layer.getConstraints() != null && !layer.getConstraints().isEmpty());
    refuse(where, "miniBatch false", !conf.isMiniBatch());
    refuse(where, "minimize false", !conf.isMinimize());
    refuse(where, "step function " + conf.getStepFunction(), conf.getStepFunction() != null);
    refuse(
        where,
        "optimization algorithm " + conf.getOptimizationAlgo(),
        conf.getOptimizationAlgo() != OptimizationAlgorithm.STOCHASTIC_GRADIENT_DESCENT);
    if (layer instanceof BatchNormalization normalisation) {
      checkNumbers(where, normalisation);
      refuse(where, "statistics of the whole data (minibatch false)", !normalisation.isMinibatch());
      refuse(where, "NHWC", normalisation.getCnn2DFormat() == CNN2DFormat.NHWC);
    }
    if (layer instanceof ConvolutionLayer convolution) {
      refuse(where, "NHWC", convolution.getCnn2dDataFormat() == CNN2DFormat.NHWC);
    }
    if (layer instanceof ActivationLayer activation) {
      checkActivation(where, activation.getActivationFn());
    } else if (layer instanceof BaseLayer base) {
      checkBaseLayer(where, base);
    }
  }

  /**
   * Checks the layer inside a wrapper; the wrapper has no activation, no weights and no penalties.
   */
  private static void checkInner(String where, BaseRecurrentLayer inner) {
    need(where, "activationFn", inner.getActivationFn());
    need(where, "weightInitFn", inner.getWeightInitFn());
    checkDropout(where, inner);
    checkBaseLayer(where, inner);
  }

  private static void checkNumbers(String where, BatchNormalization layer) {
    if (!(layer.getDecay() >= 0 && layer.getDecay() <= 1)) {
      throw new InvalidModelException(where + ": decay " + layer.getDecay() + ": must be 0 to 1");
    }
    if (!(layer.getEps() > 0)) {
      throw new InvalidModelException(where + ": eps " + layer.getEps() + ": must be more than 0");
    }
  }

  private static void checkDropout(String where, Layer layer) {
    IDropout dropout = layer.getIDropout();
    if (dropout == null) {
      return;
    }
    if (dropout.getClass() != Dropout.class || ((Dropout) dropout).getPSchedule() != null) {
      throw new InvalidModelException(
          where + ": dropout " + dropout + ": must be Dropout with a fixed probability");
    }
    double keep = ((Dropout) dropout).getP();
    if (!(keep > 0 && keep <= 1)) {
      throw new InvalidModelException(
          where
              + ": dropout that keeps a share of "
              + keep
              + ": must be more than 0, and at most 1");
    }
  }

  /** Rejects configurations that Deeplearning4j reads without an error but fails on later. */
  private static void checkParts(String where, NeuralNetConfiguration conf) {
    Layer layer = need(where, "layer", conf == null ? null : conf.getLayer());
    if (layer instanceof ActivationLayer activation) {
      need(where, "activationFn", activation.getActivationFn());
    } else if (layer instanceof BaseLayer base) {
      need(where, "activationFn", base.getActivationFn());
      need(where, "weightInitFn", base.getWeightInitFn());
    }
    if (layer instanceof BaseOutputLayer output) {
      need(where, "lossFn", output.getLossFn());
    }
    if (layer instanceof ConvolutionLayer convolution) {
      need(where, "kernelSize", convolution.getKernelSize());
      need(where, "stride", convolution.getStride());
      need(where, "padding", convolution.getPadding());
      need(where, "convolutionMode", convolution.getConvolutionMode());
    }
    if (layer instanceof SubsamplingLayer pooling) {
      need(where, "kernelSize", pooling.getKernelSize());
      need(where, "stride", pooling.getStride());
      need(where, "padding", pooling.getPadding());
      need(where, "convolutionMode", pooling.getConvolutionMode());
      need(where, "poolingType", pooling.getPoolingType());
    }
    if (layer instanceof GlobalPoolingLayer pooling) {
      need(where, "poolingType", pooling.getPoolingType());
    }
    if (layer instanceof ZeroPaddingLayer zeros) {
      need(where, "padding", zeros.getPadding());
    }
  }

  private static <T> T need(String where, String what, T part) {
    if (part == null) {
      throw new InvalidModelException(where + ": " + what + " is null or missing");
    }
    return part;
  }

  private static void checkBaseLayer(String where, BaseLayer layer) {
    refuse(where, "weight noise " + layer.getWeightNoise(), layer.getWeightNoise() != null);
    GradientNormalization normalization = layer.getGradientNormalization();
    refuse(
        where,
        "gradient normalization " + normalization,
        normalization != null && normalization != GradientNormalization.None);
    Regularisation.check(where, layer.getRegularization());
    Regularisation.check(where, layer.getRegularizationBias());
    checkActivation(where, layer.getActivationFn());
    if (layer instanceof OutputLayer output) {
      checkLoss(where, output.getLossFn());
      if (output.getLossFn() instanceof LossMCXENT loss && loss.getWeights() != null) {
        checkClassWeights(where, loss.getWeights(), output.getNOut());
      }
    }
  }

  private static void checkClassWeights(String where, INDArray weights, long outputs) {
    boolean fit = weights.length() == outputs && (weights.rank() == 1 || weights.isRowVector());
    for (long i = 0; fit && i < outputs; i++) {
      double weight = weights.getDouble(i);
      fit = weight >= 0 && weight <= Float.MAX_VALUE;
    }
    if (!fit) {
      throw new InvalidModelException(
          where
              + ": weights of the loss: must be a row of %d finite numbers of 0 or more"
                  .formatted(outputs));
    }
  }

  private static void checkLoss(String where, ILossFunction loss) {
    if (!LOSSES.contains(loss.getClass())) {
      throw new InvalidModelException(
          where
              + ": loss "
              + loss
              + (loss instanceof LossMAPE
                  ? ": infinite where a target is 0; use MEAN_ABSOLUTE_ERROR"
                  : ": must sum over samples and take labels of 0 and 1, such as MCXENT or MSE"));
    }
  }

  private static void checkActivation(String where, IActivation activation) {
    refuse(where, "activation rrelu", activation instanceof ActivationRReLU);
  }

  private static void refuse(String where, String what, boolean present) {
    if (present) {
      throw new InvalidModelException(
          where + ": " + what + ": parallel workers cannot train with it faithfully; remove it");
    }
  }

  /** Returns the name of a layer in messages. */
  static String layerName(String model, MultiLayerConfiguration conf, int index) {
    NeuralNetConfiguration layer = conf.getConf(index);
    String name =
        layer == null || layer.getLayer() == null ? null : layer.getLayer().getLayerName();
    return "model " + model + ": layer " + index + (name == null ? "" : " (" + name + ")");
  }
}
