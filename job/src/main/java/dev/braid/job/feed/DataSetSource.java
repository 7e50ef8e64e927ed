package dev.braid.job.feed;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.job.config.DataSettings;
import dev.braid.job.console.Places;
import dev.braid.job.console.UsageException;
import dev.braid.learner.Samples;
import dev.braid.learner.Targets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * The training samples of a data set, in the order of its files. Features are not standardized,
 * even if the data's settings say so, because readers of a topic standardize them.
 */
final class DataSetSource implements FeedSource {

  /** Shortest text of a whole number. */
  private static final Pattern WHOLE = Pattern.compile("0|-?[1-9]\\d{0,17}");

  private final Samples samples;

  /** Labels of the classes; empty for classes numbered from 0, and for values. */
  private final List<FedSample.Label> classes;

  private final List<String> notes;
  private int next;

  private DataSetSource(Samples samples, List<FedSample.Label> classes, List<String> notes) {
    this.samples = samples;
    this.classes = classes;
    this.notes = notes;
  }

  /**
   * Reads a data set.
   *
   * @throws UsageException if it is missing or malformed
   */
  static DataSetSource of(DataSettings settings) {
    try {
      DataLocation.Contents contents = unscaled(settings).check();
      DataLocation location = contents.location();
      return new DataSetSource(
          location.openTrain(), labels(location.classNames()), contents.notes());
    } catch (InvalidDataException e) {
      String message = "--data: " + Places.within(DataSettings.explained(e.getMessage()));
      throw new UsageException(settings.located(message), e);
    }
  }

  private static DataLocation unscaled(DataSettings settings) {
    Optional<Boolean> notStandardized =
        settings.saysHowToScale() ? Optional.of(false) : Optional.empty();
    DataLocation location =
        settings.location(
            new DataSettings.Overrides(Optional.empty(), Optional.empty(), notStandardized));
    ImageOptions images = location.images();
    return location.withImages(
        new ImageOptions(
            false, List.of(), images.flip(), images.crop(), images.height(), images.width()));
  }

  private static List<FedSample.Label> labels(List<String> names) {
    boolean areNumbers = names.stream().allMatch(name -> WHOLE.matcher(name).matches());
    return names.stream()
        .<FedSample.Label>map(
            name ->
                areNumbers
                    ? new FedSample.NumberedClass(Long.parseLong(name))
                    : new FedSample.NamedClass(name))
        .toList();
  }

  /** Returns sentences about how the data was read. */
  List<String> notes() {
    return notes;
  }

  @Override
  public FeatureFields fields() {
    return FeatureFields.array("features");
  }

  @Override
  public OptionalLong size() {
    return OptionalLong.of(samples.size());
  }

  @Override
  public FedSample next() {
    if (next == samples.size()) {
      throw new IllegalStateException("no sample is left of " + next);
    }
    float[] features = new float[samples.shape().features()];
    samples.copyFeatures(next, features, 0);
    FedSample sample = new FedSample(next, features, label());
    next++;
    return sample;
  }

  private FedSample.Label label() {
    if (samples.shape().hasValues()) {
      return new FedSample.Values(((Targets.Values) samples.targets(new int[] {next})).values());
    }
    int label = samples.label(next);
    return classes.isEmpty() ? new FedSample.NumberedClass(label) : classes.get(label);
  }
}
