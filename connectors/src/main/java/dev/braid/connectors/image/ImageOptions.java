package dev.braid.connectors.image;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.Shape;
import java.io.Serializable;
import java.util.List;

/**
 * The user's options for images, and the scales that were computed from the training set. The
 * scales are computed once, and are the same for all readers of the data: workers, evaluations, and
 * users of the model.
 *
 * @param normalized whether each channel is normalised to mean 0 and standard deviation 1
 * @param scales the scale of each channel; empty if images are not normalised, or if the scales are
 *     not known yet
 * @param flip whether training images are flipped horizontally, with probability 1/2
 * @param crop number of black pixels by which training images are padded on each side, before a
 *     random part of the original size is cut out; 0 for none
 * @param height height in pixels to which image files are scaled; 0 to keep their size
 * @param width width in pixels to which image files are scaled; 0 to keep their size
 */
public record ImageOptions(
    boolean normalized, List<ChannelScale> scales, boolean flip, int crop, int height, int width)
    implements Serializable {

  /** Options that leave images unchanged. */
  public static final ImageOptions NONE = new ImageOptions(false, List.of(), false, 0, 0, 0);

  /** Highest number of pixels per side to which image files may be scaled. */
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

  /** Returns these options with image files scaled to this size. */
  public ImageOptions resizedTo(int rows, int columns) {
    return new ImageOptions(normalized, scales, flip, crop, rows, columns);
  }

  /** Returns these options with channels normalised by these scales. */
  public ImageOptions scaledBy(List<ChannelScale> channels) {
    return new ImageOptions(!channels.isEmpty(), channels, flip, crop, height, width);
  }

  /** Returns whether image files are scaled. */
  public boolean isResized() {
    return height > 0;
  }

  /** Returns whether training images are changed at random. */
  public boolean isAugmented() {
    return flip || crop > 0;
  }

  /** Returns whether scales have to be computed from the training set. */
  public boolean needsFit() {
    return normalized && scales.isEmpty();
  }

  /** Returns these options, with scales computed from the training set if they are needed. */
  public ImageOptions fitted(Pixels training) {
    return needsFit() ? scaledBy(training.channelScales()) : this;
  }

  /**
   * Checks that the options apply to images of this shape.
   *
   * @param place name of the data set in messages
   * @throws InvalidDataException if they do not
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

  /** Normalises a sample in place, whose pixels are from 0 to 1. */
  public void normalize(float[] sample) {
    normalize(sample, 0, sample.length);
  }

  /**
   * Normalises one of several samples in place, whose pixels are from 0 to 1.
   *
   * @param offset index at which the sample begins
   * @param length number of values of the sample
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

  /**
   * Returns the part of the options that checkpoints compare by a digest; empty if images are
   * unchanged.
   */
  public String fingerprint() {
    String size = isResized() ? " " + height + "x" + width : "";
    return size + (scales.isEmpty() ? "" : " normalized");
  }
}
