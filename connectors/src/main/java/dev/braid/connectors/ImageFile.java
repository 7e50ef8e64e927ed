package dev.braid.connectors;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.text.Printable;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * A PNG or JPEG file, recognised by its content and read by the JDK's own readers. Its size is
 * known before its pixels are decoded, so that unsuitable images are never decoded. The orientation
 * in a camera's metadata (Exif) is ignored.
 */
final class ImageFile implements AutoCloseable {

  /** Highest length of a side; a greater length is a mistake, or malicious. */
  private static final int MAX_SIDE = 1 << 14;

  /** Highest number of pixels; decoded, 32 million take 96 MB. */
  private static final int MAX_PIXELS = 1 << 25;

  private static final int MAX_BYTES = 1 << 28;

  /**
   * Warnings with which the JPEG reader reports damage. After the end of the data it continues with
   * grey pixels, and reports that only by such a warning.
   */
  private static final Pattern DAMAGE =
      Pattern.compile("(?i)premature end.*|truncated.*|corrupt (?!.*extraneous).*");

  /** The formats, with Java's names. */
  enum Format {
    PNG(0x89504e47, 4),
    JPEG(0xffd8ff, 3);

    /** Number of bytes that identify a format. */
    static final int MAGIC_BYTES = 4;

    private final int magic;
    private final int length;

    Format(int magic, int length) {
      this.magic = magic;
      this.length = length;
    }

    /** Returns the format of a file with these first bytes, if it is known. */
    static Optional<Format> of(byte[] beginning) {
      return Arrays.stream(values()).filter(format -> format.begins(beginning)).findFirst();
    }

    private boolean begins(byte[] beginning) {
      int read = 0;
      for (int i = 0; i < Math.min(length, beginning.length); i++) {
        read = read << Byte.SIZE | (beginning[i] & 0xff);
      }
      return beginning.length >= length && read == magic;
    }
  }

  private final String name;
  private final Format format;
  private final ImageReader reader;
  private final ImageInputStream in;
  private final int height;
  private final int width;
  private String damage = "";

  private ImageFile(String name, byte[] content) {
    this.name = name;
    this.format =
        Format.of(content)
            .orElseThrow(() -> new InvalidDataException(name + ": not a PNG or JPEG file"));
    this.reader = reader(format);
    // In memory, because the default cache is a file in the folder for temporary files.
    this.in = new MemoryCacheImageInputStream(new ByteArrayInputStream(content));
    // Metadata are skipped, because their texts and colour profiles may unpack to any size.
    reader.setInput(in, true, true);
    reader.addIIOReadWarningListener((source, warning) -> warn(warning));
    try {
      this.height = reader.getHeight(0);
      this.width = reader.getWidth(0);
    } catch (IOException | RuntimeException e) {
      reader.dispose();
      throw damaged(e);
    }
  }

  /**
   * Opens a file.
   *
   * @throws InvalidDataException if it cannot be read or is not an image
   */
  static ImageFile open(Path path) {
    String name = Printable.of(path.toString());
    try (InputStream in = Files.newInputStream(path)) {
      return open(name, in);
    } catch (IOException e) {
      throw InvalidDataException.unreadable(name, e);
    }
  }

  /** Opens an image from a stream, and reads the stream to its end. */
  static ImageFile open(String name, InputStream in) throws IOException {
    byte[] content = in.readNBytes(MAX_BYTES + 1);
    if (content.length > MAX_BYTES) {
      throw new InvalidDataException(name + ": more than " + MAX_BYTES + " bytes");
    }
    return new ImageFile(name, content);
  }

  private static ImageReader reader(Format format) {
    Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(format.name());
    if (!readers.hasNext()) {
      throw new IllegalStateException(
          "this Java cannot read " + format + ": it has no module java.desktop");
    }
    return readers.next();
  }

  private void warn(String warning) {
    if (DAMAGE.matcher(warning).matches()) {
      damage = warning;
    }
  }

  /** Returns the name of the image in messages. */
  String name() {
    return name;
  }

  int height() {
    return height;
  }

  int width() {
    return width;
  }

  /**
   * Decodes the pixels.
   *
   * @throws InvalidDataException if the image is damaged, transparent or too large
   */
  Picture decode() {
    if (height > MAX_SIDE || width > MAX_SIDE || (long) height * width > MAX_PIXELS) {
      throw new InvalidDataException(
          "%s: %d pixels wide, %d high: %d a side and %d in all are the most"
              .formatted(name, width, height, MAX_SIDE, MAX_PIXELS));
    }
    try {
      BufferedImage image = reader.read(0);
      if (!damage.isEmpty()) {
        throw new IOException(damage);
      }
      return isGrey(image) ? grey(image) : colour(image);
    } catch (IOException | RuntimeException e) {
      if (e instanceof InvalidDataException mistake) {
        throw mistake;
      }
      throw damaged(e);
    }
  }

  private InvalidDataException damaged(Exception e) {
    return new InvalidDataException(
        Printable.of(
            "%s: a damaged %s file, or of a kind that Java does not read: %s"
                .formatted(name, format, e.getMessage())),
        e);
  }

  private static boolean isGrey(BufferedImage image) {
    if (image.getColorModel() instanceof IndexColorModel palette) {
      boolean grey = true;
      for (int i = 0; i < palette.getMapSize(); i++) {
        int colour = palette.getRGB(i);
        grey &= (colour & 0xff) == (colour >> 8 & 0xff) && (colour & 0xff) == (colour >> 16 & 0xff);
      }
      return grey;
    }
    return image.getColorModel().getColorSpace().getType() == ColorSpace.TYPE_GRAY;
  }

  /**
   * Returns the grey values as they are stored. Java's own conversion would treat them as linear
   * light, and brighten them.
   */
  private Picture grey(BufferedImage image) {
    boolean palette = image.getColorModel() instanceof IndexColorModel;
    Raster raster = image.getRaster();
    byte[] pixels = new byte[height * width];
    for (int i = 0; i < pixels.length; i++) {
      int x = i % width;
      int y = i / width;
      if (palette || raster.getNumBands() > 1) {
        checkOpaque(image.getColorModel().getAlpha(raster.getDataElements(x, y, null)));
      }
      pixels[i] =
          (byte)
              (palette
                  ? image.getRGB(x, y)
                  : raster.getSample(x, y, 0)
                      >>> Math.max(0, raster.getSampleModel().getSampleSize(0) - Byte.SIZE));
    }
    return new Picture(Picture.GREY, height, width, pixels);
  }

  private Picture colour(BufferedImage image) {
    int plane = height * width;
    byte[] planes = new byte[Picture.COLOUR * plane];
    int[] row = new int[width];
    for (int y = 0; y < height; y++) {
      image.getRGB(0, y, width, 1, row, 0, width);
      for (int x = 0; x < width; x++) {
        checkOpaque(row[x] >>> 24);
        int i = y * width + x;
        planes[i] = (byte) (row[x] >> 16);
        planes[plane + i] = (byte) (row[x] >> 8);
        planes[2 * plane + i] = (byte) row[x];
      }
    }
    return new Picture(Picture.COLOUR, height, width, planes);
  }

  private void checkOpaque(int alpha) {
    if (alpha != 0xff) {
      throw new InvalidDataException(
          name + ": has transparent pixels: must be an image without transparency");
    }
  }

  @Override
  public void close() {
    reader.dispose();
    try {
      in.close();
    } catch (IOException e) {
      throw new InvalidDataException(name + ": cannot be closed: " + e.getMessage(), e);
    }
  }
}
