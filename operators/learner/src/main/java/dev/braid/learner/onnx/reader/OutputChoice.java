package dev.braid.learner.onnx.reader;

import dev.braid.learner.Shape;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.nd4j.linalg.activations.IActivation;
import org.nd4j.linalg.activations.impl.ActivationIdentity;
import org.nd4j.linalg.activations.impl.ActivationSigmoid;
import org.nd4j.linalg.activations.impl.ActivationSoftmax;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Chooses the loss of a model, which an ONNX file does not contain. */
final class OutputChoice {

  private OutputChoice() {}

  /**
   * Returns the output layer that replaces the last layer.
   *
   * @param node last node of the graph, for messages
   * @param shape the shape of the samples
   */
  static OutputLayer of(OnnxNode node, LayerChain chain, Shape shape) {
    DenseLayer last =
        chain
            .lastDense()
            .orElseThrow(
                () ->
                    node.refused(
                        "gives the output: the last layer must be fully connected (Gemm, or MatMul"
                            + " and Add), followed by at most one activation"));
    IActivation own = last.getActivationFn();
    boolean isSoftmax = own instanceof ActivationSoftmax;
    if (shape.hasValues()) {
      if (isSoftmax) {
        throw node.refused("gives probabilities, but the data has values: use data with classes");
      }
      return layer(last, LossFunction.MSE, own);
    }
    if (last.getNOut() == 1) {
      throw node.refused(
          "gives one number: must have %d outputs, one for each class of the data"
              .formatted(shape.classes()));
    }
    if (own instanceof ActivationSigmoid) {
      return layer(last, LossFunction.XENT, own);
    }
    if (!isSoftmax && !(own instanceof ActivationIdentity)) {
      throw node.refused("gives the scores of classes: must be Softmax, or have no activation");
    }
    // A PyTorch export for classes has no softmax, because PyTorch's loss includes it.
    return layer(last, LossFunction.MCXENT, new ActivationSoftmax());
  }

  private static OutputLayer layer(DenseLayer last, LossFunction loss, IActivation activation) {
    return new OutputLayer.Builder(loss)
        .nIn(last.getNIn())
        .nOut(last.getNOut())
        .hasBias(last.hasBias())
        .activation(activation)
        .build();
  }
}
