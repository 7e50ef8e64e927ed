package dev.braid.connectors;

import dev.braid.connectors.DataLocation.Contents;
import dev.braid.connectors.DataLocation.Subset;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.Pixels;
import dev.braid.connectors.text.LabelCheck;
import dev.braid.connectors.text.Labels;
import dev.braid.learner.Features;
import dev.braid.learner.Samples;
import dev.braid.learner.Shape;
import dev.braid.learner.Targets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Reads a whole data set, finds its faults, and returns its contents. */
final class DataCheck {

  private static final Shape MNIST_SHAPE = new Shape(1, 28, 28, 10);
  private static final List<Integer> MNIST_COUNTS =
      List.of(5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949);
  private static final List<Integer> MNIST_TEST_COUNTS =
      List.of(980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009);

  /** Checksums of MNIST's samples, which are read only when they are needed. */
  private static final DataChecksums MNIST_CHECKSUMS = new DataChecksums(0xa11ef2bc, 0x53ef5a39);

  /**
   * Number of samples that decide whether a data set is sparse; it is low because images may be
   * large.
   */
  private static final int FIRST_SAMPLES = 10;

  private final DataLocation location;

  DataCheck(DataLocation location) {
    this.location = location;
  }

  /** Checks the data set, as {@link DataLocation#check} describes. */
  Contents contents() {
    Optional<TextData> text = TextData.of(location);
    if (text.isPresent()) {
      return ofText(text.get());
    }
    boolean isKnown = location.isBuiltIn() && location.classes() == 0 && !location.hasValues();
    return isKnown && !location.images().needsFit() ? ofBuiltIn() : ofImages();
  }

  private Contents ofText(TextData text) {
    TextData.Fitted fitted = text.fitted();
    DataLocation known = fitted.location();
    Samples train = known.openTrain();
    Targets targets = targets(train);
    if (targets instanceof Targets.Values values) {
      return contents(fitted, train, values);
    }
    int[] labels = ((Targets.Classes) targets).labels();
    return contents(fitted, train, labels, LabelCheck.REGRESSION);
  }

  private Contents ofBuiltIn() {
    // The smallest file shows that the jar is there. The contents of the others are known.
    new IdxFolder(location).file("t10k-labels");
    ImageSet.checkSize(location, MNIST_SHAPE);
    ImageSet.checkFeatures(location, MNIST_SHAPE);
    location.images().check(location.place(), MNIST_SHAPE);
    DataLocation known = location.withClassNames(Labels.numbered(MNIST_COUNTS.size()));
    return new Contents(
        known.withFeatures(MNIST_SHAPE.features()),
        MNIST_SHAPE,
        Subset.ofClasses(MNIST_COUNTS),
        Subset.ofClasses(MNIST_TEST_COUNTS),
        true,
        MNIST_CHECKSUMS,
        List.of());
  }

  private Contents ofImages() {
    if (location.hasValues()) {
      throw new InvalidDataException(
          location.place() + ": images have classes: a regression needs a table or a LibSVM file");
    }
    Pixels train = ImageSet.of(location).train();
    location.images().check(location.place(), train.shape());
    DataLocation known =
        location.withClassNames(train.classNames()).withImages(location.images().fitted(train));
    return contents(
        new TextData.Fitted(known, List.of()),
        train.unprepared(known.images()),
        train.labels(),
        "");
  }

  private static Contents contents(TextData.Fitted fitted, Samples train, Targets.Values values) {
    Shape shape = train.shape();
    DataLocation known = fitted.location().withFeatures(shape.features());
    List<ValueRange> ranges = ValueRange.of(values, known.valueColumns());
    ValueRange.checkDiffer(known.place(), ranges, values.size());
    Samples test = known.openTest();
    Targets.Values tested = (Targets.Values) targets(test);
    return new Contents(
        known,
        shape,
        Subset.ofValues(values.size(), ranges),
        Subset.ofValues(tested.size(), ValueRange.of(tested, known.valueColumns())),
        isSparse(train),
        DataChecksums.of(train, test),
        fitted.notes());
  }

  private static boolean isSparse(Samples train) {
    int[] first = IntStream.range(0, Math.min(FIRST_SAMPLES, train.size())).toArray();
    return Features.of(train, first).isSparse();
  }

  private static Targets targets(Samples samples) {
    return samples.targets(IntStream.range(0, samples.size()).toArray());
  }

  /**
   * Returns the contents of a data set whose samples have classes.
   *
   * @param otherwise advice for a user whose labels are probably not classes
   */
  private Contents contents(TextData.Fitted fitted, Samples train, int[] labels, String otherwise) {
    Shape shape = train.shape();
    List<Integer> counts = counts(labels, shape);
    BitSet used = new BitSet();
    IntStream.of(labels).forEach(used::set);
    if (location.classes() == 0) {
      LabelCheck.check(location.place(), used, labels.length, "", otherwise);
    }
    DataLocation known = named(fitted.location(), shape.classes()).withFeatures(shape.features());
    Samples test = known.openTest();
    int[] testLabels = ((Targets.Classes) targets(test)).labels();
    return new Contents(
        known,
        shape,
        Subset.ofClasses(counts),
        Subset.ofClasses(counts(testLabels, shape)),
        isSparse(train),
        DataChecksums.of(train, test),
        fitted.notes());
  }

  private static List<Integer> counts(int[] labels, Shape shape) {
    int[] counts = new int[shape.classes()];
    for (int label : labels) {
      counts[label]++;
    }
    return Arrays.stream(counts).boxed().toList();
  }

  private static DataLocation named(DataLocation fitted, int classes) {
    return fitted.classNames().isEmpty() ? fitted.withClassNames(Labels.numbered(classes)) : fitted;
  }
}
