package dev.braid.connectors;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.Texts;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.image.Pixels;
import dev.braid.connectors.text.TextSamples;
import dev.braid.learner.Shape;
import dev.braid.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * PNG and JPEG files, in one folder per class: either {@code train/CLASS/…} and {@code
 * test/CLASS/…}, or {@code CLASS/…}, in which every tenth file of a class (the 10th, the 20th, … by
 * name) is a test sample. Classes and files are in the order of their names; hidden ones are
 * ignored.
 *
 * <p>The first training file determines whether all images are grey or in colour, and their size,
 * unless they are scaled. Files are decoded on all processors, once per reader: decoding them again
 * in each epoch would take more time than a small model's gradients.
 */
record ImageFolder(DataLocation location) implements ImageSet {

  private static final String TRAIN = "train";
  private static final String TEST = "test";

  /** Numbers of files and of bytes above which reading takes seconds. */
  private static final int MANY_FILES = 20_000;

  private static final long MANY_BYTES = 32 << 20;

  /** A file and its class. */
  private record Entry(Path file, int label) {}

  /** Returns whether a folder has folders that are not hidden. */
  static boolean isAt(Path folder) {
    return Files.isDirectory(folder) && !Folders.listFolders(folder).isEmpty();
  }

  @Override
  public Pixels train() {
    List<String> classes = classes();
    List<Entry> entries = trainEntries(classes);
    return read(entries, shape(entries, classes), classes);
  }

  @Override
  public Pixels test() {
    List<String> classes = classes();
    Shape shape = shape(trainEntries(classes), classes);
    List<Entry> entries =
        isDivided()
            ? entries(folder(TEST), classes, Part.ALL)
            : entries(place(), classes, Part.TEST);
    if (entries.isEmpty()) {
      throw new InvalidDataException(
          isDivided()
              ? shown(folder(TEST)) + ": no images"
              : shown(place())
                  + ": no class has "
                  + TextSamples.TEST_EVERY
                  + " images, so that every tenth can be a test image; use more images, or folders "
                  + "train and test");
    }
    return read(entries, shape, classes);
  }

  @Override
  public Optional<String> slow() {
    List<Path> files =
        Folders.listFolders(trainFolder()).stream()
            .flatMap(folder -> Folders.list(folder).stream())
            .toList();
    long bytes = 0;
    for (Path file : files) {
      bytes += bytes(file);
    }
    return files.size() > MANY_FILES || bytes > MANY_BYTES
        ? Optional.of(
            String.format(Locale.ROOT, "decoding %,d images, as each worker will", files.size()))
        : Optional.empty();
  }

  private static long bytes(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw InvalidDataException.unreadable(shown(file), e);
    }
  }

  private Path place() {
    return Path.of(location.place());
  }

  private Path folder(String name) {
    return place().resolve(name);
  }

  private Path trainFolder() {
    return isDivided() ? folder(TRAIN) : place();
  }

  /**
   * Returns whether there are separate training and test folders. A folder "train" that contains
   * images may be the class of trains, next to those of cars and planes.
   */
  private boolean isDivided() {
    Path train = folder(TRAIN);
    return Files.isDirectory(train) && !Folders.listFolders(train).isEmpty();
  }

  private List<String> classes() {
    List<String> found = Folders.listFolders(trainFolder()).stream().map(Folders::name).toList();
    List<String> asked = location.classNames();
    if (!asked.isEmpty()) {
      return asked;
    }
    if (found.size() < 2) {
      throw new InvalidDataException(
          shown(trainFolder()) + ": 1 folder: needs a folder for each class, at least 2");
    }
    if (location.classes() > 0 && location.classes() != found.size()) {
      throw new InvalidDataException(
          "%s: %d folders of classes, and classes %d: the names of all classes, with commas between, are needed"
              .formatted(shown(trainFolder()), found.size(), location.classes()));
    }
    return found;
  }

  /** The files of a class that are read. */
  private enum Part {
    ALL,
    TRAIN,
    TEST;

    boolean has(int file) {
      return this == ALL
          || (file % TextSamples.TEST_EVERY == TextSamples.TEST_EVERY - 1) == (this == TEST);
    }
  }

  private List<Entry> trainEntries(List<String> classes) {
    List<Entry> entries = entries(trainFolder(), classes, isDivided() ? Part.ALL : Part.TRAIN);
    if (entries.isEmpty()) {
      throw new InvalidDataException(shown(trainFolder()) + ": no images");
    }
    return entries;
  }

  private static List<Entry> entries(Path root, List<String> classes, Part part) {
    if (!Files.isDirectory(root)) {
      throw new InvalidDataException(shown(root) + ": no such folder, next to one of " + TRAIN);
    }
    List<Entry> entries = new ArrayList<>();
    for (Path folder : Folders.listFolders(root)) {
      int label = classes.indexOf(Folders.name(folder));
      if (label < 0) {
        throw new InvalidDataException(
            "%s: no class of that name: %s are needed"
                .formatted(shown(folder), Texts.list(classes)));
      }
      List<Path> files = Folders.list(folder);
      for (int i = 0; i < files.size(); i++) {
        checkName(files.get(i));
        if (part.has(i)) {
          entries.add(new Entry(files.get(i), label));
        }
      }
    }
    return entries;
  }

  private static void checkName(Path file) {
    String name = Folders.name(file).toLowerCase(Locale.ROOT);
    boolean image = name.endsWith(".png") || name.endsWith(".jpg") || name.endsWith(".jpeg");
    if (!image || !Files.isRegularFile(file)) {
      throw new InvalidDataException(
          shown(file) + ": only files .png, .jpg and .jpeg are possible in the folder of a class");
    }
  }

  /**
   * Returns the shape of all images, by the first one; only its pixels show whether it has colours.
   */
  private Shape shape(List<Entry> entries, List<String> classes) {
    ImageOptions options = location.images();
    try (ImageFile first = ImageFile.open(entries.get(0).file())) {
      int channels = first.decode().channels();
      Shape shape =
          options.isResized()
              ? new Shape(channels, options.height(), options.width(), classes.size())
              : new Shape(channels, first.height(), first.width(), classes.size());
      ImageSet.checkFeatures(location, shape);
      return shape;
    }
  }

  private Pixels read(List<Entry> entries, Shape shape, List<String> classes) {
    byte[] content = new byte[checkedLength(entries.size(), shape)];
    int[] labels = entries.stream().mapToInt(Entry::label).toArray();
    AtomicReference<Mistake> mistake = new AtomicReference<>(Mistake.NONE);
    IntStream.range(0, entries.size())
        .parallel()
        .filter(i -> i < mistake.get().entry)
        .forEach(
            i -> {
              try {
                byte[] planes = decode(entries.get(i).file(), shape);
                System.arraycopy(planes, 0, content, i * planes.length, planes.length);
              } catch (InvalidDataException e) {
                mistake.accumulateAndGet(new Mistake(i, Optional.of(e)), Mistake::first);
              }
            });
    mistake
        .get()
        .error
        .ifPresent(
            error -> {
              throw error;
            });
    return new Pixels(content, labels, shape, classes);
  }

  /** The first faulty file in order, independent of which thread finds its fault first. */
  private record Mistake(int entry, Optional<InvalidDataException> error) {
    static final Mistake NONE = new Mistake(Integer.MAX_VALUE, Optional.empty());

    static Mistake first(Mistake one, Mistake other) {
      return one.entry <= other.entry ? one : other;
    }
  }

  /** Checks the size of all images before decoding, which may take long. */
  private int checkedLength(int images, Shape shape) {
    long bytes = (long) images * shape.features();
    long most = Math.min(Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory() / 2);
    if (bytes > most) {
      throw new InvalidDataException(
          "%s: %,d images of %s are %,d bytes: %,d are the most here; 'image-size: HxW' makes them smaller"
              .formatted(shown(place()), images, ImageSet.describe(shape), bytes, most));
    }
    return (int) bytes;
  }

  private byte[] decode(Path file, Shape shape) {
    try (ImageFile image = ImageFile.open(file)) {
      boolean fits = image.height() == shape.height() && image.width() == shape.width();
      if (!fits && !location.images().isResized()) {
        throw new InvalidDataException(
            "%s: %dx%d, and %dx%d is expected (height x width), as the first image to train with"
                    .formatted(
                        image.name(), image.height(), image.width(), shape.height(), shape.width())
                + " has; 'image-size: HxW' scales all");
      }
      Picture picture = image.decode();
      if (picture.channels() != shape.channels()) {
        throw new InvalidDataException(
            "%s: %s, and %s is expected, as the first image to train with has"
                .formatted(image.name(), kind(picture.channels()), kind(shape.channels())));
      }
      return picture.resized(shape.height(), shape.width()).planes();
    }
  }

  private static String kind(int channels) {
    return channels == Picture.GREY ? "grey" : "colour (RGB)";
  }

  /**
   * Returns a path for messages, with control characters escaped, because file names are untrusted,
   * too.
   */
  private static String shown(Path path) {
    return Printable.of(path.toString());
  }
}
