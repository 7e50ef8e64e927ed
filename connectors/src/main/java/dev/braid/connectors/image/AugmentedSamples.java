package dev.braid.connectors.image;

import dev.braid.connectors.random.Permutation;
import dev.braid.connectors.random.SplitMix;
import dev.braid.learner.Batch;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;

/**
 * Images that are flipped and cropped at random, differently in each epoch.
 *
 * <p>The change of an image depends only on the run's seed, the epoch and the image's id: not on a
 * worker, a batch, or previous random numbers. A run that is restored, or has another number of
 * workers, therefore trains with the same images.
 *
 * <p>Methods without an epoch return the images unchanged.
 */
final class AugmentedSamples implements Samples {

  /** Makes the random numbers differ from those of {@link Permutation}, which has the same seed. */
  private static final long SALT = 0x6d697272_6f726564L;

  private final PixelSamples images;
  private final boolean flip;
  private final int crop;
  private final long seed;

  AugmentedSamples(PixelSamples images, ImageOptions options, long seed) {
    this.images = images;
    this.flip = options.flip();
    this.crop = options.crop();
    this.seed = seed;
  }

  @Override
  public int size() {
    return images.size();
  }

  @Override
  public Shape shape() {
    return images.shape();
  }

  @Override
  public int checksum() {
    return images.checksum();
  }

  @Override
  public void copyFeatures(int id, float[] into, int offset) {
    images.copyFeatures(id, into, offset);
  }

  @Override
  public int label(int id) {
    return images.label(id);
  }

  @Override
  public Batch batch(int epoch, int[] ids, boolean lastOfEpoch) {
    return new Epoch(epoch).batch(epoch, ids, lastOfEpoch);
  }

  @Override
  public Batch deferredBatch(int epoch, int[] ids, boolean lastOfEpoch) {
    return new Epoch(epoch).deferredBatch(epoch, ids, lastOfEpoch);
  }

  /** The images as they are changed in one epoch. */
  private final class Epoch implements Samples {
    private final long state;

    Epoch(int epoch) {
      this.state = SplitMix.mix(SplitMix.mix(seed ^ SALT) + (epoch + 1) * SplitMix.GOLDEN_GAMMA);
    }

    @Override
    public int size() {
      return images.size();
    }

    @Override
    public Shape shape() {
      return images.shape();
    }

    @Override
    public int label(int id) {
      return images.label(id);
    }

    @Override
    public void copyFeatures(int id, float[] into, int offset) {
      long draws = SplitMix.mix(state + (id + 1) * SplitMix.GOLDEN_GAMMA);
      boolean flipped = flip && draw(draws, 0, 2) == 1;
      int down = draw(draws, 1, 2 * crop + 1) - crop;
      int right = draw(draws, 2, 2 * crop + 1) - crop;
      images.copyMoved(id, down, right, flipped, into, offset);
    }

    /**
     * Returns the random number with this index. Each purpose has a fixed index, so that the option
     * to flip does not change how images are cropped.
     */
    private static int draw(long draws, int number, int bound) {
      return SplitMix.below(bound, SplitMix.mix(draws + (number + 1) * SplitMix.GOLDEN_GAMMA));
    }
  }
}
