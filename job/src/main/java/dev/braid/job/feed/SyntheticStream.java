package dev.braid.job.feed;

import dev.braid.job.console.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * An endless stream of random samples with two classes. A sample is a function of the seed, the
 * settings and the sample's number.
 */
final class SyntheticStream implements FeedSource {

  /**
   * Largest number of features. It keeps a record's value below a megabyte, the largest size that
   * brokers accept by default.
   */
  private static final int MOST_FEATURES = 10_000;

  private static final int USUAL_FEATURES = 10;
  private static final long USUAL_EVERY = 50_000;
  private static final double USUAL_DRIFT = 0.001;
  private static final long MOST_EVERY = 1_000_000_000_000L;

  private static final String EVERY = "every";
  private static final String NOISE = "noise";
  private static final String FEATURES = "features";
  private static final String DRIFT = "drift";

  private static final int SAMPLES = 0;

  private final long seed;
  private final Concept concept;
  private final double noise;
  private long next;

  private SyntheticStream(long seed, Concept concept, double noise) {
    this.seed = seed;
    this.concept = concept;
    this.noise = noise;
  }

  private static Map<String, List<String>> known() {
    Map<String, List<String>> known = new LinkedHashMap<>();
    known.put(SeaConcept.NAME, List.of(EVERY, NOISE));
    known.put(HyperplaneConcept.NAME, List.of(FEATURES, DRIFT, NOISE));
    known.put(LinearConcept.NAME, List.of(FEATURES, NOISE));
    return known;
  }

  /**
   * Creates a stream from a text such as {@code sea:every=10000}.
   *
   * @throws UsageException if a stream or a setting is unknown, or a value is impossible
   */
  static SyntheticStream of(String typed, long seed) {
    StreamSettings settings = StreamSettings.of(typed, known());
    return switch (settings.name()) {
      case SeaConcept.NAME ->
          new SyntheticStream(
              seed,
              new SeaConcept(settings.count(EVERY, USUAL_EVERY, MOST_EVERY)),
              settings.share(NOISE, 0.1));
      case HyperplaneConcept.NAME ->
          new SyntheticStream(
              seed,
              new HyperplaneConcept(seed, features(settings), settings.share(DRIFT, USUAL_DRIFT)),
              settings.share(NOISE, 0.05));
      case LinearConcept.NAME ->
          new SyntheticStream(
              seed, new LinearConcept(seed, features(settings)), settings.share(NOISE, 0));
      default -> throw new IllegalStateException(settings.name());
    };
  }

  private static int features(StreamSettings settings) {
    return (int) settings.count(FEATURES, USUAL_FEATURES, MOST_FEATURES);
  }

  @Override
  public FeatureFields fields() {
    return concept.fields();
  }

  @Override
  public OptionalLong size() {
    return OptionalLong.empty();
  }

  @Override
  public FedSample next() {
    return at(next++);
  }

  /** Returns a sample by its number, from 0. */
  FedSample at(long id) {
    RecordRandom random = new RecordRandom(seed, SAMPLES, id);
    float[] features = concept.draw(random);
    boolean isFlipped = random.isTrue(noise);
    boolean isPositive = concept.isPositive(id, features) != isFlipped;
    return new FedSample(id, features, new FedSample.NumberedClass(isPositive ? 1 : 0));
  }
}
