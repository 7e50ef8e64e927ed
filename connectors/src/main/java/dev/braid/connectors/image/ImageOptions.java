package dev.braid.connectors.image;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Shape;
import java.io.Serializable;
import java.util.List;

/**
 * What a user has asked of images, beside where they are; and what was found for it in the training
 * set, once, which then is the same for all who read the data: workers, evaluations, and whoever
 * has the model.
 *
 * @param normalized whether each channel is brought to mean 0 and standard deviation 1
 * @param scales how, for each channel; none if that is not asked for, or not found out yet
 * @param flip whether training images are flipped horizontally, with probability 1/2
 * @param crop by how many black pixels training images are padded at each side before a part of the
 *     original size is cut out of them at random; 0 for none
 * @param height to which files of images are scaled; 0 to take them as they are
 * @param width to which they are scaled
 */
public record ImageOptions(
    boolean normalized, List<ChannelScale> scales, boolean flip, int crop, int height, int width)
    implements Serializable {

  /** Images are taken as they are. */
  public static final ImageOptions NONE = new ImageOptions(false, List.of(), false, 0, 0, 0);

  /** Files of images may be scaled to as many pixels a side, at most. */
  public static final int MAX_SIDE = 4096;

  /**
   * Checks the numbers.
   *
   * @throws InvalidDataException if they are impossible
   */
  public ImageOptions {
    scales = List.copyOf(scales);
    if (crop < 0 || height < 0 || width < 0 || (height == 0) != (width == 0)) {
      throw new InvalidDataException(
          "images of %dx%d, cropped by %d: numbers from 0 on are needed"
              .formatted(height, width, crop));
    }
    if (height > MAX_SIDE || width > MAX_SIDE) {
      throw new InvalidDataException(
          "images of %dx%d: sides of 1 to %d are possible".formatted(height, width, MAX_SIDE));
    }
  }

  /** The same for images that are scaled to this size. */
  public ImageOptions resizedTo(int rows, int columns) {
    return new ImageOptions(normalized, scales, flip, crop, rows, columns);
  }

  /** The same with channels that are brought to mean 0 and deviation 1 like this. */
  public ImageOptions scaledBy(List<ChannelScale> channels) {
    return new ImageOptions(!channels.isEmpty(), channels, flip, crop, height, width);
  }

  /** Whether files of images are scaled. */
  public boolean isResized() {
    return height > 0;
  }

  /** Whether training images are changed at random. */
  public boolean isAugmented() {
    return flip || crop > 0;
  }

  /** Whether what is asked for has to be found out in the training set. */
  public boolean needsFit() {
    return normalized && scales.isEmpty();
  }

  /** With what is asked for, found in the training set. */
  public ImageOptions fitted(Pixels training) {
    return needsFit() ? scaledBy(training.channelScales()) : this;
  }

  /**
   * Checks that this is possible with such images.
   *
   * @param place what they are called in messages
   */
  public void check(String place, Shape shape) {
    if (isAugmented() && !shape.isImage()) {
      throw new InvalidDataException(
          place + ": rows of numbers: 'flip' and 'crop' are only for images");
    }
    int side = Math.min(shape.height(), shape.width());
    if (crop >= side) {
      throw new InvalidDataException(
          "%s: images of %dx%d: crop %d: less than %d is needed"
              .formatted(place, shape.height(), shape.width(), crop, side));
    }
    if (!scales.isEmpty() && scales.size() != shape.channels()) {
      throw new InvalidDataException(
          "%s: %d channels: means and deviations of %d are known"
              .formatted(place, shape.channels(), scales.size()));
    }
  }

  /** Normalises a sample whose pixels are from 0 to 1, in its place. */
  public void normalize(float[] sample) {
    normalize(sample, 0, sample.length);
  }

  /**
   * Normalizes one of several samples whose pixels are from 0 to 1, in its place.
   *
   * @param offset where the sample begins
   * @param length numbers of the sample
   */
  public void normalize(float[] samples, int offset, int length) {
    int plane = scales.isEmpty() ? 0 : length / scales.size();
    for (int channel = 0; channel < scales.size(); channel++) {
      ChannelScale scale = scales.get(channel);
      int first = offset + channel * plane;
      for (int i = first; i < first + plane; i++) {
        samples[i] = scale.scaled(samples[i]);
      }
    }
  }

  /** Returns the options of which checkpoints have a digest; empty where there are none. */
  public String fingerprint() {
    String size = isResized() ? " " + height + "x" + width : "";
    return size + (scales.isEmpty() ? "" : " normalized");
  }
}
