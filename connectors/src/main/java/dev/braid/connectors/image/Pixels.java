package dev.braid.connectors.image;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Images as they were read: a byte a pixel, a quarter of what floats would take.
 *
 * @param content image after image, each channel after channel, row after row; not copied
 * @param labels the class of each image; not copied
 * @param shape of the images
 * @param classNames the label of each class
 */
public record Pixels(byte[] content, int[] labels, Shape shape, List<String> classNames) {

  private static final int VALUES = 256;

  public Pixels {
    if ((long) labels.length * shape.features() != content.length) {
      throw new IllegalArgumentException(
          content.length + " pixels for " + labels.length + " images of " + shape);
    }
  }

  /** Returns a checksum of the pixels, as they were read, and of the classes. */
  static int checksum(byte[] content, int[] labels, Shape shape) {
    CRC32C sum = new CRC32C();
    sum.update(content);
    return (int) new Targets.Classes(labels).addTo(sum, shape);
  }

  /** How many images there are. */
  int size() {
    return labels.length;
  }

  /** Mean and deviation of each channel: sums of whole numbers, in any order the same bits. */
  List<ChannelScale> channelScales() {
    long[][] counts = new long[shape.channels()][VALUES];
    int plane = shape.height() * shape.width();
    for (int first = 0; first < content.length; first += shape.features()) {
      for (int channel = 0; channel < counts.length; channel++) {
        count(first + channel * plane, plane, counts[channel]);
      }
    }
    return List.of(counts).stream().map(ChannelScale::of).toList();
  }

  private void count(int from, int length, long[] counts) {
    for (int i = from; i < from + length; i++) {
      counts[content[i] & 0xff]++;
    }
  }

  /**
   * As samples, which are kept sparse where they are mostly 0.
   *
   * @param options whose scales are found out
   */
  public Samples samples(ImageOptions options) {
    Optional<Samples> sparse =
        options.scales().isEmpty()
            ? SparsePixelSamples.ifSuited(content, labels, shape).map(Samples.class::cast)
            : Optional.empty();
    return sparse.orElseGet(() -> unprepared(options));
  }

  /**
   * As samples of which only a few are to be looked at: nothing is made of the others.
   *
   * @param options whose scales are found out
   */
  public Samples unprepared(ImageOptions options) {
    return new PixelSamples(this, options.scales());
  }

  /**
   * As samples to train with, which are other ones in each epoch.
   *
   * @param options whose scales are found out
   * @param seed decides how each is changed
   */
  public Samples augmented(ImageOptions options, long seed) {
    return new AugmentedSamples(new PixelSamples(this, options.scales()), options, seed);
  }
}
