package dev.braid.connectors.image;

import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Images as they were read: one byte per pixel, a quarter of the memory of floats.
 *
 * @param content image after image, each channel after channel, row after row; not copied
 * @param labels the class of each image; not copied
 * @param shape shape of the images
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

  /**
   * Returns the mean and deviation of each channel. They are sums of whole numbers, with the same
   * bits in any order.
   */
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
   * Returns the images as samples, which are stored sparse if they are mostly 0.
   *
   * @param options options whose scales are known
   */
  public Samples samples(ImageOptions options) {
    Optional<Samples> sparse =
        options.scales().isEmpty()
            ? SparsePixelSamples.ifSuited(content, labels, shape).map(Samples.class::cast)
            : Optional.empty();
    return sparse.orElseGet(() -> unprepared(options));
  }

  /**
   * Returns the images as samples without preparation, for callers that read only a few of them.
   *
   * @param options options whose scales are known
   */
  public Samples unprepared(ImageOptions options) {
    return new PixelSamples(this, options.scales());
  }

  /**
   * Returns the images as training samples that differ in each epoch.
   *
   * @param options options whose scales are known
   * @param seed seed of the random changes
   */
  public Samples augmented(ImageOptions options, long seed) {
    return new AugmentedSamples(new PixelSamples(this, options.scales()), options, seed);
  }
}
