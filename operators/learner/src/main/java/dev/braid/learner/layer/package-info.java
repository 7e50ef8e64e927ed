/**
 * Braid's own layers for images, with forward and backward passes. Each instance belongs to one
 * worker's thread.
 *
 * <p>Backpropagation (Rumelhart, Hinton and Williams, "Learning representations by back-propagating
 * errors", 1986): in the forward pass each layer computes its output from its input. In the
 * backward pass it receives the loss's gradient by its output, and computes the gradients by its
 * parameters and by its input, by the chain rule.
 *
 * <pre>
 *                ── forward ──▶                                 LayerSequence
 *   input ─ Convolution ─ MaxPooling ─ BatchNorm ─ … ─▶ output
 *                │ gradient   │            │ gradient
 *                ◀── backward ──                      ◀─ delta
 * </pre>
 *
 * <p>{@link dev.braid.learner.layer.StackBuilder} creates the layers of a configuration. All of
 * them are {@link dev.braid.learner.layer.ImageLayer}s. A {@link dev.braid.learner.layer.Pass}
 * names the samples that are processed, and whether a gradient is computed.
 *
 * <ul>
 *   <li>Convolutions (LeCun et al., "Gradient-based learning applied to document recognition",
 *       1998) are matrix products of the weights and of the patches that the windows cover: a
 *       {@code SlidingWindow} defines the windows' positions, and {@code Patches} copies their
 *       contents. {@code FirstConvolution} processes images in the order of the data. If most of
 *       the gradient is 0, {@code NonZeros} and {@link dev.braid.learner.sparse.SummedRows} skip
 *       the zeros.
 *   <li>Poolings compute the largest value or the average of each window, which {@code
 *       WindowBounds} cuts at the border.
 *   <li>{@code BatchNorm} (Ioffe and Szegedy, 2015) has running statistics among the parameters, so
 *       that replicas agree on them.
 *   <li>{@link dev.braid.learner.layer.Dropout} (Srivastava et al., 2014) depends only on seed,
 *       layer, epoch and sample ({@link dev.braid.learner.layer.DropoutMask}), so that a gradient
 *       remains a function of weights and batch.
 *   <li>{@code ElementwiseActivation}, with {@link dev.braid.learner.layer.RectifierLoops}, and
 *       {@code Reordering} between images channel by channel and pixel by pixel.
 * </ul>
 *
 * <p>Images are stored pixel by pixel, so that a row of a window is contiguous. Buffers are reused
 * between batches, and the order of sums depends only on the model.
 */
package dev.braid.learner.layer;
