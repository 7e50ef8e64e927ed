package dev.braid.connectors.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.braid.connectors.DataInFolder;
import dev.braid.connectors.DataLocation;
import dev.braid.connectors.FeatureStream;
import dev.braid.connectors.image.ChannelScale;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.learner.Batch;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import dev.braid.loop.SourceGate;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.flink.core.io.InputStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of images that are normalized, flipped and cropped. */
class ImageOptionsTest extends DataInFolder {

  private static final int IMAGES = 41;
  private static final int SIDE = 32;
  private static final int FEATURES = 3 * SIDE * SIDE;
  private static final ImageOptions NORMALIZED = new ImageOptions(true, List.of(), false, 0, 0, 0);
  private static final ImageOptions CHANGED = new ImageOptions(false, List.of(), true, 3, 0, 0);

  private final byte[] train = noise(IMAGES, 1);
  private final byte[] test = noise(5, 2);

  @BeforeEach
  void write() throws IOException {
    Files.write(folder.resolve("data_batch_1.bin"), train);
    Files.write(folder.resolve("test_batch.bin"), test);
  }

  /**
   * Returns images whose second channel is constant, without black pixels in the other channels.
   */
  private static byte[] noise(int images, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] records = new byte[images * (1 + FEATURES)];
    for (int i = 0; i < records.length; i++) {
      int pixel = i % (1 + FEATURES) - 1;
      int channel = pixel / (SIDE * SIDE);
      records[i] =
          (byte)
              (pixel < 0 ? i % 3 : channel == 1 ? 51 : 1 + random.nextInt(channel == 0 ? 99 : 250));
    }
    return records;
  }

  private DataLocation location(ImageOptions options) {
    return DataLocation.of(folder.toString()).withClasses(10).withImages(options);
  }

  // ---- normalized
  // --------------------------------------------------------------------------------

  @Test
  void channelsHaveMeanZeroAndDeviationOne() {
    DataLocation known = location(NORMALIZED).check().location();
    double[] means = channelMeans(known.openTrain(), 1);
    double[] squares = channelMeans(known.openTrain(), 2);
    assertThat(means).containsExactly(new double[] {0, 0, 0}, within(1e-5));
    // A constant channel remains constant.
    assertThat(squares).containsExactly(new double[] {1, 0, 1}, within(1e-4));
    ChannelScale first = known.images().scales().get(0);
    assertThat(first.mean()).isCloseTo(50 / 255.0, within(0.01));
    assertThat(known.images().scales().get(1)).isEqualTo(new ChannelScale(0.2, 1));
  }

  private static double[] channelMeans(Samples samples, int power) {
    double[] means = new double[3];
    float[] image = new float[FEATURES];
    for (int id = 0; id < samples.size(); id++) {
      samples.copyFeatures(id, image, 0);
      for (int i = 0; i < FEATURES; i++) {
        means[i / (SIDE * SIDE)] += Math.pow(image[i], power) / samples.size() / SIDE / SIDE;
      }
    }
    return means;
  }

  /**
   * This also holds if the scales have to be computed first, and for a stream, with the same bits.
   */
  @Test
  void testImagesAreScaledAsTheTrainingImages() {
    DataLocation known = location(NORMALIZED).check().location();
    float[] scaled = new float[FEATURES];
    float[] again = new float[FEATURES];
    float[] plain = new float[FEATURES];
    ChannelScale scale = known.images().scales().get(2);
    FeatureStream.Expected expected =
        new FeatureStream.Expected(
            new Shape(3, SIDE, SIDE, 10), Optional.empty(), 255, known.images());
    try (FeatureStream stream =
        FeatureStream.open(folder.resolve("test_batch.bin"), Optional.empty(), expected)) {
      for (int id = 0; id < 5; id++) {
        known.openTest().copyFeatures(id, scaled, 0);
        location(NORMALIZED).openTest().copyFeatures(id, again, 0);
        location(ImageOptions.NONE).openTest().copyFeatures(id, plain, 0);
        int last = FEATURES - 1;
        assertThat(scaled[last])
            .isEqualTo((float) ((plain[last] - scale.mean()) / scale.deviation()));
        assertThat(again).isEqualTo(scaled);
        assertThat(stream.next()).hasValueSatisfying(s -> assertThat(s).isEqualTo(scaled));
      }
    }
  }

  /** Pixels of 0, which are most of MNIST's, get another value. */
  @Test
  void mnistToo() {
    DataLocation mnist =
        DataLocation.of(DataLocation.MNIST).withImages(NORMALIZED).check().location();
    ChannelScale scale = mnist.images().scales().get(0);
    // The well-known mean and deviation of MNIST.
    assertThat(scale.mean()).isCloseTo(0.1307, within(5e-5));
    assertThat(scale.deviation()).isCloseTo(0.3081, within(5e-5));
    float[] image = new float[784];
    mnist.openTest().copyFeatures(0, image, 0);
    assertThat(image[0]).isEqualTo((float) (-scale.mean() / scale.deviation()));
  }

  @Test
  void aCheckpointIsOfImagesScaledInOneWay() {
    String plain = location(ImageOptions.NONE).check().location().fingerprint();
    String scaled = location(NORMALIZED).check().location().fingerprint();
    assertThat(scaled).isNotEqualTo(plain);
    assertThat(location(NORMALIZED).check().location().fingerprint()).isEqualTo(scaled);
    assertThat(location(CHANGED).check().location().fingerprint()).isEqualTo(plain);
  }

  @Test
  void impossibleNumbersAreErrors() {
    assertThatThrownBy(() -> new ImageOptions(false, List.of(), false, -1, 0, 0))
        .hasMessageContaining("cropped by -1");
    assertThatThrownBy(() -> ImageOptions.NONE.resizedTo(4, 0)).hasMessageContaining("4x0");
    assertThatThrownBy(() -> ImageOptions.NONE.resizedTo(4, 4097)).hasMessageContaining("4x4097");
    assertThatThrownBy(() -> new ChannelScale(0, 0)).hasMessageContaining("deviation 0.0");
    assertThatThrownBy(() -> new ChannelScale(Double.NaN, 1)).hasMessageContaining("mean NaN");
    List<ChannelScale> two = List.of(new ChannelScale(0, 1), new ChannelScale(0, 1));
    rejects(
        location(ImageOptions.NONE.scaledBy(two)),
        "3 channels: means and deviations of 2 are known");
  }

  // ---- flipped and cropped
  // -------------------------------------------------------------------------

  /** The change of an image, which is unique, because no other change gives the same pixels. */
  private record Change(int down, int right, boolean flipped) {}

  private Change change(int id, float[] image) {
    for (int down = -3; down <= 3; down++) {
      for (int right = -3; right <= 3; right++) {
        for (boolean flipped : new boolean[] {false, true}) {
          if (Arrays.equals(image, changed(id, down, right, flipped))) {
            return new Change(down, right, flipped);
          }
        }
      }
    }
    throw new AssertionError("image " + id + " is not one that was moved and flipped");
  }

  /**
   * Returns an image that is cut out of the padded one and then flipped, computed pixel by pixel.
   */
  private float[] changed(int id, int down, int right, boolean flipped) {
    float[] image = new float[FEATURES];
    for (int i = 0; i < FEATURES; i++) {
      int channel = i / (SIDE * SIDE);
      int y = i / SIDE % SIDE;
      int x = flipped ? SIDE - 1 - i % SIDE : i % SIDE;
      int oldY = y + down;
      int oldX = x + right;
      boolean inside = oldY >= 0 && oldX >= 0 && oldY < SIDE && oldX < SIDE;
      int at = id * (1 + FEATURES) + 1 + (channel * SIDE + oldY) * SIDE + oldX;
      image[i] = inside ? (train[at] & 0xff) / 255f : 0;
    }
    return image;
  }

  @Test
  void eachIsMovedAndFlippedAnewInEachEpoch() {
    Samples samples = location(CHANGED).openEpochs(1);
    int[] ids = IntStream.range(0, IMAGES).toArray();
    Set<Change> seen = new HashSet<>();
    int flipped = 0;
    int epochs = 12;
    for (int epoch = 0; epoch < epochs; epoch++) {
      float[] images = samples.batch(epoch, ids, false).features().toArray();
      for (int id : ids) {
        Change change = change(id, Arrays.copyOfRange(images, id * FEATURES, (id + 1) * FEATURES));
        seen.add(change);
        flipped += change.flipped ? 1 : 0;
      }
    }
    // There are 98 possible changes; with 492 random images, few changes should be missing.
    assertThat(seen).hasSizeGreaterThan(90);
    assertThat(flipped).isBetween(epochs * IMAGES * 2 / 5, epochs * IMAGES * 3 / 5);
  }

  @Test
  void onlyWhatIsAskedForIsDone() {
    Samples flips = location(new ImageOptions(false, List.of(), true, 0, 0, 0)).openEpochs(1);
    Samples crops = location(new ImageOptions(false, List.of(), false, 3, 0, 0)).openEpochs(1);
    Samples both = location(CHANGED).openEpochs(1);
    for (int id = 0; id < IMAGES; id++) {
      Change flip = change(id, image(flips, 0, id));
      Change crop = change(id, image(crops, 0, id));
      assertThat(change(id, image(both, 0, id)))
          .isEqualTo(new Change(crop.down, crop.right, flip.flipped));
      assertThat(flip.down).isZero();
      assertThat(flip.right).isZero();
      assertThat(crop.flipped).isFalse();
    }
  }

  private static float[] image(Samples samples, int epoch, int id) {
    return samples.batch(epoch, new int[] {id}, false).features().toArray();
  }

  @Test
  void anotherSeedGivesOtherImages() {
    Samples one = location(CHANGED).openEpochs(1);
    Samples other = location(CHANGED).openEpochs(2);
    long same =
        IntStream.range(0, IMAGES)
            .filter(id -> Arrays.equals(image(one, 0, id), image(other, 0, id)))
            .count();
    assertThat(same).isLessThan(IMAGES / 4);
  }

  /** Pixels from outside an image are black, and do not have the mean value. */
  @Test
  void bordersAreBlackBeforeTheyAreNormalized() {
    DataLocation known =
        location(new ImageOptions(true, List.of(), false, 3, 0, 0)).check().location();
    Samples samples = known.openEpochs(1);
    Samples plain = location(new ImageOptions(false, List.of(), false, 3, 0, 0)).openEpochs(1);
    ChannelScale scale = known.images().scales().get(0);
    float black = (float) (-scale.mean() / scale.deviation());
    int moved = 0;
    for (int id = 0; id < IMAGES; id++) {
      float[] image = image(samples, 0, id);
      Change change = change(id, image(plain, 0, id));
      if (change.down < 0) {
        moved++;
        assertThat(image[0]).isEqualTo(black);
      }
    }
    assertThat(moved).isPositive();
  }

  @Test
  void testImagesAndEvaluatedOnesAreAsTheyAre() {
    for (Samples samples : List.of(location(CHANGED).openTest(), location(CHANGED).openTrain())) {
      DataLocation plain = location(ImageOptions.NONE);
      Samples expected = samples.size() == IMAGES ? plain.openTrain() : plain.openTest();
      for (int id = 0; id < samples.size(); id++) {
        assertThat(image(samples, 1, id)).isEqualTo(image(expected, 0, id));
      }
    }
  }

  /** An image is the same in an epoch for every worker and batch. */
  @Test
  void anyNumberOfWorkersHasTheSameImages() {
    Map<List<Integer>, float[]> ofOne = images(1, 7);
    assertThat(ofOne).hasSize(2 * IMAGES);
    for (int workers : new int[] {2, 4}) {
      Map<List<Integer>, float[]> images = images(workers, 3);
      assertThat(images.keySet()).isEqualTo(ofOne.keySet());
      images.forEach((at, image) -> assertThat(image).as("%s", at).isEqualTo(ofOne.get(at)));
    }
  }

  /** Returns all images of two epochs, by epoch and id, as the readers emit them. */
  private Map<List<Integer>, float[]> images(int workers, int batch) {
    ShardPlan plan = new ShardPlan(IMAGES, batch, 2);
    Map<List<Integer>, float[]> images = new HashMap<>();
    List<ShardSplit> shares = plan.start(workers);
    for (int worker = 0; worker < workers; worker++) {
      String attempt = folder + " " + workers + " " + worker;
      try (SourceGate gate = SourceGate.open(attempt)) {
        SampleReader reader =
            new SampleReader(
                location(CHANGED),
                Holdout.none(IMAGES),
                Optional.empty(),
                plan,
                5,
                attempt,
                attempt,
                false,
                Optional.empty());
        reader.start();
        reader.addSplits(List.of(shares.get(worker)));
        gate.grant(1_000);
        CollectedBatches output = new CollectedBatches();
        while (reader.pollNext(output) == InputStatus.MORE_AVAILABLE) {
          assertThat(output.batches()).hasSizeLessThan(1_000);
        }
        output.batches().forEach(read -> put(read, images));
      }
    }
    return images;
  }

  private static void put(Batch batch, Map<List<Integer>, float[]> images) {
    float[] all = batch.features().toArray();
    for (int i = 0; i < batch.size(); i++) {
      float[] before =
          images.put(
              List.of(batch.epoch(), batch.ids()[i]),
              Arrays.copyOfRange(all, i * FEATURES, (i + 1) * FEATURES));
      assertThat(before).isNull();
    }
  }

  /**
   * Random changes must not differ between versions of Braid, because checkpoints outlive a
   * version.
   */
  @Test
  void drawsAreThoseOfEarlierVersions() {
    Samples samples = location(CHANGED).openEpochs(1);
    List<Change> changes = new ArrayList<>();
    for (int id = 0; id < 4; id++) {
      changes.add(change(id, image(samples, 2, id)));
    }
    assertThat(changes)
        .containsExactly(
            new Change(-1, 0, false),
            new Change(0, 0, false),
            new Change(2, -3, false),
            new Change(1, -1, true));
  }

  @Test
  void rowsOfNumbersAreNoImages() {
    assertThatThrownBy(() -> CHANGED.check("x", Shape.rows(9, 2)))
        .hasMessageContaining("x: rows of numbers: 'flip' and 'crop' are only for images");
  }
}
