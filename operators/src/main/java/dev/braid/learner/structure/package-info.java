/**
 * What a model's configuration says of its structure: which layers it has, what they make of a
 * sample, and where their parameters are.
 *
 * <p>Configurations are Deeplearning4j's, a list of layers. To the exchanges a model is one flat
 * vector, and this package is where both are the same thing:
 *
 * <pre>
 *   convolution      batch normalisation   fully connected            the configuration
 *   ├──────────────┤├────────────────────┤├─────────────────────────┤
 *   biases, weights  γ, β, mean, variance  weights by input, biases   the flat vector
 *                   ▲                     ▲
 *           ModelStack.start          DenseShape
 * </pre>
 *
 * <p>{@link dev.braid.learner.structure.ModelStack} tells which models Braid computes with layers
 * of its own. In those a fully connected layer's weights lie input by input, and {@link
 * dev.braid.learner.structure.ParameterOrder} takes a vector from that order to Deeplearning4j's
 * and back. {@link dev.braid.learner.structure.Regularisation} knows which weights have penalties
 * (Krogh and Hertz, "A simple weight decay can improve generalization", 1991) and adds them to a
 * gradient. {@link dev.braid.learner.structure.RecurrentLayers} finds layers that are wrapped into
 * others, {@link dev.braid.learner.structure.Activations} tells functions apart, and {@link
 * dev.braid.learner.structure.ImageShape} is what layers hand on to each other.
 *
 * <p>Nothing here computes a gradient, or reads a file.
 */
package dev.braid.learner.structure;
