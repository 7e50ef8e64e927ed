/**
 * Images in memory, a byte a pixel, and what samples become of them.
 *
 * <pre>
 *             ┌─ mostly 0, unscaled ──▶ SparsePixelSamples
 *   Pixels ───┼─ otherwise ───────────▶ PixelSamples (ChannelScale of each channel)
 *             └─ flipped, cropped ────▶ AugmentedSamples, other ones in each epoch
 * </pre>
 *
 * <p>{@link dev.braid.connectors.image.ImageOptions} says what a user has asked for. Where channels
 * are to have mean 0 and deviation 1, a {@link dev.braid.connectors.image.ChannelScale} is found in
 * the training set, once: from counts of the 256 values, so that it has the same bits in any order
 * of images. It goes on with the data's location, and with the model: what is classified later has
 * to be scaled alike.
 *
 * <p>Flips and crops at random (Krizhevsky, Sutskever and Hinton, "ImageNet classification with
 * deep convolutional neural networks", 2012) are drawn from seed, epoch and sample alone.
 */
package dev.braid.connectors.image;
