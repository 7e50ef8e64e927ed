/**
 * Images in memory, one byte per pixel, and their conversion to samples.
 *
 * <pre>
 *             ┌─ mostly 0, unscaled ──▶ SparsePixelSamples
 *   Pixels ───┼─ otherwise ───────────▶ PixelSamples (ChannelScale of each channel)
 *             └─ flipped, cropped ────▶ AugmentedSamples, other ones in each epoch
 * </pre>
 *
 * <p>{@link dev.braid.connectors.image.ImageOptions} are the user's options. If channels are
 * normalised to mean 0 and deviation 1, a {@link dev.braid.connectors.image.ChannelScale} is
 * computed from the training set, once: from counts of the 256 values, so that it has the same bits
 * for any order of images. It becomes part of the data's location, and of the model, because
 * samples that are classified later must be scaled alike.
 *
 * <p>Flips and crops at random (Krizhevsky, Sutskever and Hinton, "ImageNet classification with
 * deep convolutional neural networks", 2012) depend only on seed, epoch and sample.
 */
package dev.braid.connectors.image;
