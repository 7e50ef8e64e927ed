package dev.braid.job.options;

import dev.braid.connectors.DataLocation;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.text.TableOptions;
import dev.braid.job.console.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options of {@code braid train} that say what the data is, as they are typed. */
final class DataFlags {

  /** Classes, or features: a weight of each, at least, has to fit a worker. */
  private static final int MOST = 1 << 24;

  private static final Pattern SIDES = Pattern.compile("(\\d{1,5})x(\\d{1,5})");

  @Option(
      names = "--data",
      paramLabel = "NAME|PATH",
      defaultValue = DataLocation.MNIST,
      description = {
        "mnist;",
        "or a folder with the four IDX files of a data set like it, gzipped or not;",
        "or a folder with CIFAR-10 or CIFAR-100, the binary version;",
        "or a folder of PNG and JPEG images, train/CLASS/ and test/CLASS/, or CLASS/, of which every"
            + " tenth is to test with;",
        "or a table, .csv or .tsv (with commas, semicolons, tabs or bars);",
        "or a .libsvm file.",
        "Default: ${DEFAULT-VALUE}"
      })
  private String data;

  @Option(
      names = "--classes",
      paramLabel = "N|LABELS",
      description = {
        "How many classes there are, counted from 0; or their labels, with commas between, as in"
            + " --classes 1,2,3.",
        "Default: as the training labels show"
      })
  private String classes;

  @Option(
      names = "--features",
      paramLabel = "N",
      description = {
        "Numbers of a sample, where the data does not say (LibSVM).",
        "Default: as the training samples show"
      })
  private Integer features;

  @Option(
      names = "--regression",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      paramLabel = "true|false",
      description = {
        "Of a table or a .libsvm file: labels are numbers that the model is to predict, and no classes."
            + " Presets have a mean squared error then.",
        "Default: labels are classes"
      })
  private boolean regression;

  @Option(
      names = "--label",
      paramLabel = "COLUMN",
      description = {
        "Of a table: the column of the class, by name or by number from 1. With --regression, that of"
            + " the number to predict; or of several, with commas between.",
        "Default: the last"
      })
  private String label;

  @Option(
      names = "--ignore",
      paramLabel = "COLUMNS",
      description = {
        "Of a table: columns that are no features, with commas between.",
        "Default: none"
      })
  private String ignore;

  @Option(
      names = "--text",
      paramLabel = "COLUMNS",
      description = {
        "Of a table: columns that are categories, though they be numbers. Columns of text are"
            + " anyway: each category becomes a feature of 0 or 1.",
        "Default: none"
      })
  private String text;

  @Option(
      names = "--standardize",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "true|false",
      description = {
        "Of a table: scale each column of numbers to mean 0 and standard deviation 1 of the"
            + " training rows; with --regression, the numbers to predict, too. Predictions are as"
            + " numbers were.",
        "Default: true for a preset; for a model file, numbers as they are"
      })
  private Boolean standardize;

  @Option(
      names = "--image-size",
      paramLabel = "HxW",
      description = {
        "Of a folder of images: scale all to this height and width, whatever their proportion.",
        "Default: all have one size"
      })
  private String imageSize;

  @Option(
      names = "--normalize",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      paramLabel = "true|false",
      description = {
        "Of images: scale each channel to mean 0 and standard deviation 1 of the training images.",
        "Default: pixels from 0 to 1"
      })
  private boolean normalize;

  @Option(
      names = "--flip",
      arity = "0..1",
      fallbackValue = "true",
      defaultValue = "false",
      paramLabel = "true|false",
      description = {
        "Flip each training image horizontally with probability 1/2, drawn anew in each epoch.",
        "Default: as they are"
      })
  private boolean flip;

  @Option(
      names = "--crop",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "Pad each training image by N black pixels at each side, and cut its size out of that at"
            + " random, anew in each epoch.",
        "Default: ${DEFAULT-VALUE}, as they are"
      })
  private int crop;

  /**
   * Where the data is, with what is said of it.
   *
   * @throws UsageException if classes or features are impossible
   */
  DataLocation location() {
    if (features != null && (features < 1 || features > MOST)) {
      throw new UsageException("--features " + features + ": 1 to " + MOST + " is needed");
    }
    DataLocation location =
        DataLocation.of(data)
            .withTable(
                new TableOptions(
                    label == null ? "" : label,
                    list(ignore),
                    list(text),
                    standardize != null && standardize))
            .withImages(images());
    if (regression && classes != null) {
      throw new UsageException(
          "--classes " + classes + ": with --regression labels are numbers, and no classes");
    }
    location = classes == null ? location : withClasses(location);
    location = regression ? location.withValues() : location;
    return features == null ? location : location.withFeatures(features);
  }

  /** Whether the user says if numbers of a table are standardized. */
  boolean saysHowToScale() {
    return standardize != null;
  }

  private ImageOptions images() {
    if (crop < 0) {
      throw new UsageException("--crop " + crop + ": 0 or more is needed");
    }
    ImageOptions images = new ImageOptions(normalize, List.of(), flip, crop, 0, 0);
    if (imageSize == null) {
      return images;
    }
    Matcher sides = SIDES.matcher(imageSize);
    if (!sides.matches()) {
      throw new UsageException("--image-size " + imageSize + ": HEIGHTxWIDTH is needed: 32x32");
    }
    int height = Integer.parseInt(sides.group(1));
    int width = Integer.parseInt(sides.group(2));
    if (Math.min(height, width) < 1 || Math.max(height, width) > ImageOptions.MAX_SIDE) {
      throw new UsageException(
          "--image-size %s: sides of 1 to %d are needed"
              .formatted(imageSize, ImageOptions.MAX_SIDE));
    }
    return images.resizedTo(height, width);
  }

  private DataLocation withClasses(DataLocation location) {
    try {
      if (classes.matches("\\d{1,9}")) {
        int count = Integer.parseInt(classes);
        if (count < 2 || count > MOST) {
          throw new UsageException("--classes " + count + ": 2 to " + MOST + " is needed");
        }
        return location.withClasses(count);
      }
      List<String> names = list(classes);
      if (names.size() < 2) {
        throw new UsageException(
            "--classes " + classes + ": a whole number, or labels with commas between, is needed");
      }
      return location.withClassNames(names);
    } catch (InvalidDataException e) {
      throw new UsageException("--classes " + classes + ": " + e.getMessage(), e);
    }
  }

  private static List<String> list(String words) {
    return words == null
        ? List.of()
        : Arrays.stream(words.split(",", -1)).map(String::strip).toList();
  }

  /** What was said of the data, by the names of the options, without those not given. */
  static void put(Map<String, Object> json, DataLocation data) {
    json.put("data", data.place());
    if (!data.classNames().isEmpty()) {
      json.put("classes", String.join(",", data.classNames()));
    } else if (data.classes() > 0) {
      json.put("classes", data.classes());
    }
    if (data.hasValues()) {
      json.put("regression", true);
    }
    if (data.features() > 0) {
      json.put("features", data.features());
    }
    if (data.table() instanceof TableOptions table) {
      put(json, "label", table.label());
      put(json, "ignore", String.join(",", table.ignored()));
      put(json, "text", String.join(",", table.text()));
      if (table.standardized()) {
        json.put("standardize", true);
      }
    }
    put(json, data.images());
  }

  private static void put(Map<String, Object> json, ImageOptions images) {
    if (images.isResized()) {
      json.put("image-size", images.height() + "x" + images.width());
    }
    if (images.normalized()) {
      json.put("normalize", true);
    }
    if (images.flip()) {
      json.put("flip", true);
    }
    if (images.crop() > 0) {
      json.put("crop", images.crop());
    }
  }

  private static void put(Map<String, Object> json, String option, String value) {
    if (!value.isEmpty()) {
      json.put(option, value);
    }
  }
}
