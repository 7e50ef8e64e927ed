package dev.braid.connectors;

import dev.braid.connectors.file.BoundedInput;
import dev.braid.connectors.file.DataFile;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.file.InvalidSampleException;
import dev.braid.connectors.file.SampleInput;
import dev.braid.connectors.image.ImageOptions;
import dev.braid.connectors.text.Missing;
import dev.braid.connectors.text.TableColumn;
import dev.braid.connectors.text.TableSchema;
import dev.braid.connectors.text.TextFormat;
import dev.braid.connectors.text.TextStream;
import dev.braid.learner.Shape;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Samples without labels, one after the other, in the form that a model expects, to be classified.
 * Labels are ignored if there are any. Rows of text are returned as soon as they arrive.
 *
 * <p>All methods throw {@link InvalidDataException} if the input is malformed, or does not match
 * the model. If only a single sample is invalid, the exception is an {@link
 * InvalidSampleException}, and the next call of {@link #next} returns the following sample.
 */
public final class FeatureStream implements AutoCloseable {

  /** Format of the samples. */
  public enum Format {
    CSV,
    LIBSVM,
    IDX,
    CIFAR,
    PNG,
    JPEG
  }

  /**
   * The input that a model expects.
   *
   * @param shape shape of the samples
   * @param table the columns, if the model was trained on a table
   * @param divisor divisor of all numbers except those of a table's columns: 255 for pixels
   * @param images how images become samples
   */
  public record Expected(
      Shape shape, Optional<TableSchema> table, float divisor, ImageOptions images) {

    /**
     * Checks that a model accepts unscaled numbers in rows without columns' names.
     *
     * @throws InvalidDataException if the model scales them, or expects texts
     */
    public void checkPlain(String name) {
      if (table.filter(schema -> !schema.isPlain()).isPresent()) {
        throw new InvalidDataException(
            name
                + ": LibSVM: the model takes rows of a table, with columns that are categories "
                + "or are scaled");
      }
    }

    /**
     * Returns the columns; for a model that was not trained on a table, one number per feature and
     * an optional label.
     */
    private TableSchema schema() {
      int features = shape.features();
      return table.orElseGet(
          () ->
              TableSchema.ofClasses(
                  false,
                  features + 1,
                  features,
                  "",
                  IntStream.range(0, features)
                      .mapToObj(i -> new TableColumn(i, "", 0, divisor, List.of()))
                      .toList(),
                  Missing.FAIL));
    }
  }

  private static final int MAGIC_BYTES = ImageFile.Format.MAGIC_BYTES;

  /** Size limit of a stream in a binary format. */
  private static final int MAX_BYTES = 1 << 28;

  private final SampleInput source;
  private final InputStream in;
  private final Expected expected;

  private FeatureStream(SampleInput source, InputStream in, Expected expected) {
    this.source = source;
    this.in = in;
    this.expected = expected;
  }

  /** Opens a file, gzipped or not, whose format follows from its first bytes and its name. */
  public static FeatureStream open(Path path, Optional<Format> format, Expected expected) {
    DataFile file = DataFile.at(path);
    return open(file, new BufferedInputStream(file.content(), 1 << 16), format, expected, true);
  }

  /**
   * Opens a stream, which the result owns from now on. A row of text ends with its line, because
   * the sender may wait for its answer before it sends the next.
   *
   * @param name name of the stream in messages
   */
  public static FeatureStream open(
      String name, InputStream in, Optional<Format> format, Expected expected) {
    return open(
        DataFile.of(name, new byte[0]), new BufferedInputStream(in), format, expected, false);
  }

  private static FeatureStream open(
      DataFile file,
      BufferedInputStream in,
      Optional<Format> given,
      Expected expected,
      boolean spansLines) {
    Format format = given.orElseGet(() -> format(file, in, expected));
    if (format == Format.LIBSVM) {
      expected.checkPlain(file.name());
    }
    SampleInput source =
        switch (format) {
          case CSV -> TextStream.ofTable(file, in, expected.schema(), spansLines);
          case LIBSVM ->
              TextStream.ofLibSvm(file, in, expected.shape().features(), expected.divisor());
          case IDX -> idx(file, in, expected);
          case CIFAR -> cifar(file, in, expected);
          case PNG, JPEG -> picture(file, in, expected);
        };
    return new FeatureStream(source, in, expected);
  }

  private static Format format(DataFile file, BufferedInputStream in, Expected expected) {
    byte[] first;
    try {
      in.mark(MAGIC_BYTES);
      first = in.readNBytes(1);
      if (first.length > 0 && !isText(first[0])) {
        in.reset();
        first = in.readNBytes(MAGIC_BYTES);
      }
      in.reset();
    } catch (IOException e) {
      throw file.failure(e);
    }
    Optional<ImageFile.Format> image = ImageFile.Format.of(first);
    if (image.isPresent()) {
      return image.get() == ImageFile.Format.PNG ? Format.PNG : Format.JPEG;
    }
    if (file.name().endsWith(".bin")) {
      return Format.CIFAR;
    }
    if (first.length == MAGIC_BYTES && first[0] == 0 && first[1] == 0) {
      return Format.IDX;
    }
    boolean libSvm =
        expected.table().isEmpty()
            && TextFormat.of(file.name()).filter(TextFormat.LIBSVM::equals).isPresent();
    return libSvm ? Format.LIBSVM : Format.CSV;
  }

  /**
   * Returns whether a byte begins a text: no magic number begins with an ASCII character other than
   * NUL. Only one byte of a text is read, because a row may be shorter than a magic number.
   */
  private static boolean isText(byte first) {
    return first > 0;
  }

  /**
   * Returns the next sample.
   *
   * @return its features; empty at the end
   * @throws InvalidSampleException if the sample is malformed, and another one may follow
   */
  public Optional<float[]> next() {
    float[] sample = new float[expected.shape().features()];
    if (!source.next(sample)) {
      return Optional.empty();
    }
    expected.images().normalize(sample);
    return Optional.of(sample);
  }

  /**
   * Returns a sentence for each text in a categorical column that no training row had, and that has
   * first occurred since the last call.
   */
  public List<String> newUnknownTexts() {
    return source.newUnknownTexts();
  }

  /**
   * Returns a sentence for each categorical column in which several samples so far had texts that
   * no training row had: the number of such samples, and the first text.
   */
  public List<String> unknownTexts() {
    return source.unknownTexts();
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw new InvalidDataException("cannot be closed: " + e.getMessage(), e);
    }
  }

  private static SampleInput idx(DataFile file, InputStream in, Expected expected) {
    try {
      byte[] content = bounded(file, in).readAllBytes();
      IdxFile images = IdxFile.read(DataFile.of(TextFormat.stripGz(file.name()), content), 2, 4);
      int features = images.content().length / images.count();
      if (features != expected.shape().features()) {
        throw new InvalidDataException(
            "%s: images of %d numbers: the model takes %d"
                .formatted(file.name(), features, expected.shape().features()));
      }
      byte[] pixels = images.content();
      return samples(images.count(), expected, i -> pixels[i] & 0xff);
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  /** Returns the images of CIFAR-10 records; labels are ignored. */
  private static SampleInput cifar(DataFile file, InputStream in, Expected expected) {
    CifarFolder.checkShape(file.name(), expected.shape());
    byte[] image = new byte[CifarFolder.RECORD];
    int first = CifarFolder.RECORD - CifarFolder.PIXELS;
    return into -> {
      try {
        int read = in.readNBytes(image, 0, image.length);
        if (read > 0 && read < image.length) {
          throw new InvalidDataException(
              "%s: ends after %d of the %d bytes of an image with its label"
                  .formatted(file.name(), read, image.length));
        }
        for (int i = 0; i < CifarFolder.PIXELS; i++) {
          into[i] = (image[first + i] & 0xff) / expected.divisor();
        }
        return read > 0;
      } catch (IOException e) {
        throw file.failure(e);
      }
    };
  }

  private static SampleInput picture(DataFile file, InputStream in, Expected expected) {
    Shape shape = expected.shape();
    if (!shape.isImage()
        || (shape.channels() != Picture.GREY && shape.channels() != Picture.COLOUR)) {
      throw new InvalidDataException(
          file.name() + ": an image file, but the model takes no images of 1 or 3 channels");
    }
    boolean[] isRead = {false};
    return into -> {
      if (isRead[0]) {
        return false;
      }
      isRead[0] = true;
      try {
        byte[] pixels = pixels(file, in, expected);
        for (int i = 0; i < pixels.length; i++) {
          into[i] = (pixels[i] & 0xff) / expected.divisor();
        }
        return true;
      } catch (InvalidDataException e) {
        throw InvalidSampleException.of(e);
      }
    };
  }

  private static byte[] pixels(DataFile file, InputStream in, Expected expected) {
    Shape shape = expected.shape();
    try (ImageFile image = ImageFile.open(file.name(), bounded(file, in))) {
      boolean fits = image.width() == shape.width() && image.height() == shape.height();
      if (!fits && !expected.images().isResized()) {
        throw new InvalidDataException(
            "%s: %d pixels wide, %d high: the model takes images of %dx%d"
                .formatted(
                    file.name(), image.width(), image.height(), shape.width(), shape.height()));
      }
      return image.decode().with(shape.channels()).resized(shape.height(), shape.width()).planes();
    } catch (IOException e) {
      throw file.failure(e);
    }
  }

  /** Returns samples from numbers that are stored sample after sample. */
  private static SampleInput samples(int count, Expected expected, IntToDoubleFunction numbers) {
    int features = expected.shape().features();
    int[] next = {0};
    return into -> {
      if (next[0] == count) {
        return false;
      }
      for (int i = 0; i < features; i++) {
        into[i] = (float) numbers.applyAsDouble(next[0] * features + i) / expected.divisor();
      }
      next[0]++;
      return true;
    };
  }

  /** Limits a stream to the size of the largest supported file. */
  private static InputStream bounded(DataFile file, InputStream in) {
    return new BoundedInput(in, MAX_BYTES, () -> tooLong(file));
  }

  private static InvalidDataException tooLong(DataFile file) {
    return new InvalidDataException(file.name() + ": more than " + MAX_BYTES + " bytes");
  }
}
