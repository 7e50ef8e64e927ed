/**
 * Reads ONNX files of other programs, such as PyTorch, as models that Braid trains.
 *
 * <p>The file is untrusted, so each size in it is checked before memory is allocated:
 *
 * <pre>
 *   OnnxReader           file → graph
 *   GraphReader          follows the only chain of nodes
 *    ├─ OnnxConstants    initializers and what is computed from them, as ConstantTensor
 *    ├─ OnnxFunctions    nodes → activation
 *    ├─ OnnxViews        nodes that change only the shape
 *    ├─ OnnxOperators    node → layer with its parameters
 *    ├─ LayerChain       layers so far, and the shape of their output
 *    └─ OutputChoice     last layer → output layer, with the loss that suits the data
 * </pre>
 *
 * <p>{@code dev.braid.learner.onnx} writes such files.
 */
package dev.braid.learner.onnx.reader;
