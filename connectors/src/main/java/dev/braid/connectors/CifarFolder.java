package dev.braid.connectors;

import dev.braid.connectors.file.BoundedInput;
import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.image.Pixels;
import dev.braid.connectors.text.Labels;
import dev.braid.learner.Shape;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The binary versions of CIFAR-10 and CIFAR-100 (Krizhevsky, "Learning multiple layers of features
 * from tiny images", 2009): records of a label and 3072 bytes, an image of 32x32, red plane first,
 * row after row.
 *
 * <p>CIFAR-10 is in {@code data_batch_1.bin}, {@code data_batch_2.bin} … and {@code
 * test_batch.bin}, with the classes' names in {@code batches.meta.txt}. CIFAR-100 is in {@code
 * train.bin} and {@code test.bin}, with names in {@code fine_label_names.txt}; its records begin
 * with an additional coarse label, which is ignored. Without a file of names the classes are 0, 1,
 * 2 …
 */
record CifarFolder(DataLocation location) implements ImageSet {

  /** The sides of an image, in planes of red, green and blue. */
  static final int CHANNELS = 3;

  static final int SIDE = 32;
  static final int PIXELS = CHANNELS * SIDE * SIDE;

  /** Bytes of a CIFAR-10 record: the label, followed by the image. */
  static final int RECORD = 1 + PIXELS;

  private static final Pattern BATCH = Pattern.compile("data_batch_(\\d{1,4})\\.bin");

  /** File names of all versions, including the Python version, which is rejected with a message. */
  private static final Pattern ANY = Pattern.compile("(data|test)_batch.*|(train|test)\\.bin");

  /** Limit on the bytes of a data set: about six times CIFAR-10. */
  private static final long MAX_BYTES = 1L << 30;

  private static final int MAX_NAME_BYTES = 1 << 16;

  /** The differences between CIFAR-10 and CIFAR-100. */
  private enum Version {
    CIFAR_10(10, 1, "batches.meta.txt", "test_batch.bin"),
    CIFAR_100(100, 2, "fine_label_names.txt", "test.bin");

    private final int classes;

    /** Number of labels before the image; the last one is the class. */
    private final int labels;

    private final String nameFile;
    private final String testFile;

    Version(int classes, int labels, String nameFile, String testFile) {
      this.classes = classes;
      this.labels = labels;
      this.nameFile = nameFile;
      this.testFile = testFile;
    }

    int recordBytes() {
      return labels + PIXELS;
    }
  }

  /** Returns whether a folder contains any file of these data sets. */
  static boolean isAt(Path folder) {
    return Files.isDirectory(folder)
        && Folders.list(folder).stream()
            .anyMatch(
                path -> ANY.matcher(Folders.name(path)).matches() && Files.isRegularFile(path));
  }

  @Override
  public Pixels train() {
    return read(version() == Version.CIFAR_100 ? List.of(file("train.bin")) : batches());
  }

  @Override
  public Pixels test() {
    return read(List.of(file(version().testFile)));
  }

  /**
   * Checks that a model accepts images of CIFAR's shape.
   *
   * @throws InvalidDataException if it does not
   */
  static void checkShape(String name, Shape shape) {
    if (shape.channels() != CHANNELS || shape.height() != SIDE || shape.width() != SIDE) {
      throw new InvalidDataException(
          "%s: images of CIFAR-10, %dx%dx%d: the model takes %s"
              .formatted(name, CHANNELS, SIDE, SIDE, ImageSet.describe(shape)));
    }
  }

  private Version version() {
    boolean tens =
        Folders.list(folder()).stream().anyMatch(path -> Folders.name(path).contains("_batch"));
    return tens ? Version.CIFAR_10 : Version.CIFAR_100;
  }

  private Path folder() {
    return Path.of(location.place());
  }

  private DataFile file(String name) {
    Path path = folder().resolve(name);
    if (!Files.isRegularFile(path)) {
      throw new InvalidDataException(
          folder() + ": has no file " + name + ": must be the binary version of CIFAR-10");
    }
    return DataFile.at(path);
  }

  /** Returns the batch files by number, from 1 without gaps. */
  private List<DataFile> batches() {
    long count =
        Folders.list(folder()).stream()
            .filter(path -> BATCH.matcher(Folders.name(path)).matches())
            .count();
    List<DataFile> files = new ArrayList<>();
    for (int number = 1; number <= Math.max(1, count); number++) {
      files.add(file("data_batch_" + number + ".bin"));
    }
    return files;
  }

  private Pixels read(List<DataFile> files) {
    Version version = version();
    long images = 0;
    for (DataFile file : files) {
      images += images(file, version);
    }
    if (images * version.recordBytes() > MAX_BYTES) {
      throw new InvalidDataException(
          "%s: %,d images: %,d are the most"
              .formatted(folder(), images, MAX_BYTES / version.recordBytes()));
    }
    Classes classes = classes(version);
    Shape shape = new Shape(CHANNELS, SIDE, SIDE, classes.names.size());
    ImageSet.checkSize(location, shape);
    ImageSet.checkFeatures(location, shape);
    Pixels all =
        new Pixels(new byte[(int) images * PIXELS], new int[(int) images], shape, classes.names);
    int first = 0;
    for (DataFile file : files) {
      first += read(file, version, classes, all, first);
    }
    return all;
  }

  /** Returns the number of images in a file, by its size. */
  private static long images(DataFile file, Version version) {
    long bytes = file.storedBytes();
    if (file.isGzip()) {
      throw new InvalidDataException(file.name() + ": is compressed: decompress it first");
    }
    if (bytes == 0 || bytes % version.recordBytes() != 0) {
      throw new InvalidDataException(
          "%s: %d bytes: a multiple of %d is needed, as an image has with its label"
              .formatted(file.name(), bytes, version.recordBytes()));
    }
    return bytes / version.recordBytes();
  }

  /** Reads a file, and returns its number of images. */
  private static int read(DataFile file, Version version, Classes classes, Pixels into, int first) {
    int images = (int) images(file, version);
    byte[] label = new byte[version.labels];
    try (InputStream in = file.open()) {
      for (int i = 0; i < images; i++) {
        int read = in.readNBytes(label, 0, label.length);
        read += in.readNBytes(into.content(), (first + i) * PIXELS, PIXELS);
        if (read < version.recordBytes()) {
          throw new InvalidDataException(
              file.name() + ": changed while it was read: is shorter than before");
        }
        into.labels()[first + i] = classes.of(label[label.length - 1] & 0xff, file.name(), i);
      }
      return images;
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  /**
   * The class of each label.
   *
   * @param names names of the classes
   * @param classOf the class of each label; -1 for none
   */
  private record Classes(List<String> names, int[] classOf) {

    int of(int label, String file, int image) {
      if (label >= classOf.length) {
        throw new InvalidDataException(
            "%s: label %d of image %d: 0 to %d are possible"
                .formatted(file, label, image, classOf.length - 1));
      }
      if (classOf[label] < 0) {
        throw new InvalidDataException(
            "%s: label %d of image %d: %s"
                .formatted(file, label, image, new Labels(names).describe()));
      }
      return classOf[label];
    }
  }

  /**
   * Returns the classes. Labels are the names in the file of names, or else numbers. If there are
   * only numbers and the user gives as many other names, these are in the order of the numbers.
   */
  private Classes classes(Version version) {
    List<String> found = names(version);
    List<String> asked =
        location.classNames().isEmpty() && location.classes() > 0
            ? asMany(found, location.classes())
            : location.classNames();
    List<String> names = asked.isEmpty() ? found : asked;
    List<String> numbers = Labels.numbered(version.classes);
    boolean inOrder =
        names.size() == version.classes && (found.equals(numbers) || names.equals(numbers));
    boolean renamed = inOrder && !new HashSet<>(names).equals(new HashSet<>(found));
    int[] classOf = new int[version.classes];
    for (int label = 0; label < classOf.length; label++) {
      classOf[label] = renamed ? label : names.indexOf(found.get(label));
    }
    return new Classes(names, classOf);
  }

  private static List<String> asMany(List<String> found, int classes) {
    if (classes <= found.size()) {
      return found.subList(0, classes);
    }
    List<String> more = new ArrayList<>(found);
    more.addAll(Labels.numbered(classes).subList(found.size(), classes));
    return more;
  }

  private List<String> names(Version version) {
    Path path = folder().resolve(version.nameFile);
    if (!Files.exists(path)) {
      return Labels.numbered(version.classes);
    }
    DataFile file = DataFile.at(path);
    Supplier<InvalidDataException> tooLong =
        () -> new InvalidDataException(file.name() + ": more than " + MAX_NAME_BYTES + " bytes");
    try (BufferedReader reader =
        new BufferedReader(DataFile.utf8(new BoundedInput(file.open(), MAX_NAME_BYTES, tooLong)))) {
      List<String> names =
          reader.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
      if (names.size() != version.classes || new HashSet<>(names).size() < names.size()) {
        throw new InvalidDataException(
            "%s: %d names, %d different ones: a name for each of %d classes is needed"
                .formatted(
                    file.name(), names.size(), new HashSet<>(names).size(), version.classes));
      }
      return names;
    } catch (UncheckedIOException e) {
      throw file.failure(e.getCause());
    } catch (IOException e) {
      throw file.failure(e);
    }
  }
}
