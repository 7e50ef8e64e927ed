/**
 * The structure of a model by its configuration: its layers, their outputs, and the positions of
 * their parameters.
 *
 * <p>Configurations are Deeplearning4j's, a list of layers. To the exchanges a model is one flat
 * vector. This package maps the one to the other:
 *
 * <pre>
 *   convolution      batch normalisation   fully connected            the configuration
 *   ├──────────────┤├────────────────────┤├─────────────────────────┤
 *   biases, weights  γ, β, mean, variance  weights by input, biases   the flat vector
 *                   ▲                     ▲
 *           ModelStack.start          DenseShape
 * </pre>
 *
 * <p>{@link dev.braid.learner.structure.ModelStack} decides which models Braid computes with its
 * own layers. In those models a fully connected layer's weights are stored input by input. {@link
 * dev.braid.learner.structure.ParameterOrder} converts a vector from that order to Deeplearning4j's
 * and back. {@link dev.braid.learner.structure.Regularisation} knows which weights have penalties
 * (Krogh and Hertz, "A simple weight decay can improve generalization", 1991) and adds them to a
 * gradient. {@link dev.braid.learner.structure.RecurrentLayers} finds layers inside wrappers,
 * {@link dev.braid.learner.structure.Activations} distinguishes functions, and an {@link
 * dev.braid.learner.structure.ImageShape} describes the values that one layer passes to the next.
 *
 * <p>No class in this package computes a gradient or reads a file.
 */
package dev.braid.learner.structure;
