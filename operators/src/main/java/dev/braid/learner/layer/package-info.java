/**
 * Braid's own layers of images, forward and backward, one worker's thread each.
 *
 * <p>Backpropagation (Rumelhart, Hinton and Williams, "Learning representations by back-propagating
 * errors", 1986): on the way forward each layer makes its output of its input; on the way back it
 * is told how the loss changes with its output, and says how it changes with its parameters and
 * with its input, by the chain rule.
 *
 * <pre>
 *                ── forward ──▶                                 LayerSequence
 *   input ─ Convolution ─ MaxPooling ─ BatchNorm ─ … ─▶ output
 *                │ gradient   │            │ gradient
 *                ◀── backward ──                      ◀─ delta
 * </pre>
 *
 * <p>{@link dev.braid.learner.layer.StackBuilder} makes the layers of a configuration; all of them
 * are {@link dev.braid.learner.layer.ImageLayer}s, a {@link dev.braid.learner.layer.Pass} says
 * which samples are on their way, and whether for a gradient.
 *
 * <ul>
 *   <li>Convolutions (LeCun et al., "Gradient-based learning applied to document recognition",
 *       1998) are matrix products of the weights and of what the windows see: a {@code
 *       SlidingWindow} says where these lie, and {@code Patches} copies what is in them. {@code
 *       FirstConvolution} is the one that takes images as data has them. Where most of the gradient
 *       is 0, {@code NonZeros} and {@link dev.braid.learner.sparse.SummedRows} leave it out.
 *   <li>Poolings take the largest number or the average of each window, which {@code WindowBounds}
 *       cuts at the border.
 *   <li>{@code BatchNorm} (Ioffe and Szegedy, 2015) has running statistics among the parameters, so
 *       that replicas agree on them.
 *   <li>{@link dev.braid.learner.layer.Dropout} (Srivastava et al., 2014) draws from seed, layer,
 *       epoch and sample alone ({@link dev.braid.learner.layer.DropoutMask}): a gradient stays a
 *       function of weights and batch.
 *   <li>{@code ElementwiseActivation}, with {@link dev.braid.learner.layer.RectifierLoops}, and
 *       {@code Reordering} between images channel by channel and pixel by pixel.
 * </ul>
 *
 * <p>Images lie pixel by pixel, so that a row of a window is one piece of memory. Buffers are kept
 * between batches, and sums are in an order that depends on the model alone.
 */
package dev.braid.learner.layer;
