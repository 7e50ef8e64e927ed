package dev.braid.connectors;

import dev.braid.learner.Shape;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.awt.image.Raster;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * A picture as a sample: its size is that of the training images, and nothing is decoded before
 * that is known.
 */
final class PngFile {

  /** Of a colour, how light it is (ITU-R BT.601), in thousandths. */
  private static final int RED = 299;

  private static final int GREEN = 587;
  private static final int BLUE = 114;

  private PngFile() {}

  /**
   * Reads a picture.
   *
   * @return its pixels, from 0 to 255: channel after channel, row after row
   */
  static float[] read(String name, InputStream in, Shape shape) {
    ImageReader reader = reader();
    // In memory: the default cache is a file in the folder for temporary files.
    try (ImageInputStream image = new MemoryCacheImageInputStream(in)) {
      // Without metadata, whose texts and colour profiles may unpack to any size.
      reader.setInput(image, true, true);
      check(name, reader.getWidth(0), reader.getHeight(0), shape);
      return pixels(name, reader.read(0), shape);
    } catch (IOException | RuntimeException e) {
      if (e instanceof InvalidDataException mistake) {
        throw mistake;
      }
      throw new InvalidDataException(name + ": a damaged PNG file: " + e.getMessage(), e);
    } finally {
      reader.dispose();
    }
  }

  private static ImageReader reader() {
    Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName("png");
    if (!readers.hasNext()) {
      throw new IllegalStateException("this Java has no reader of PNG: its module java.desktop");
    }
    return readers.next();
  }

  private static void check(String name, int width, int height, Shape shape) {
    if (!shape.isImage() || (shape.channels() != 1 && shape.channels() != 3)) {
      throw new InvalidDataException(
          name + ": a picture: the model takes no images of 1 or 3 channels");
    }
    if (width != shape.width() || height != shape.height()) {
      throw new InvalidDataException(
          "%s: %d pixels wide, %d high: the model takes images of %dx%d"
              .formatted(name, width, height, shape.width(), shape.height()));
    }
  }

  private static float[] pixels(String name, BufferedImage image, Shape shape) {
    int count = shape.width() * shape.height();
    float[] pixels = new float[shape.features()];
    boolean grey =
        image.getRaster().getNumBands() == 1 && !(image.getColorModel() instanceof IndexColorModel);
    for (int i = 0; i < count; i++) {
      int x = i % shape.width();
      int y = i / shape.width();
      int colour = grey ? grey(image.getRaster(), x, y) : image.getRGB(x, y);
      if (colour >>> 24 != 0xff) {
        throw new InvalidDataException(
            name + ": transparent pixels: an image without transparency is needed");
      }
      put(pixels, i, count, colour, shape.channels());
    }
    return pixels;
  }

  /** As it is stored: Java's own conversion would take it for linear light, and brighten it. */
  private static int grey(Raster raster, int x, int y) {
    int bits = raster.getSampleModel().getSampleSize(0);
    int value = raster.getSample(x, y, 0) >>> Math.max(0, bits - Byte.SIZE);
    return 0xff000000 | value << 16 | value << 8 | value;
  }

  private static void put(float[] pixels, int i, int count, int colour, int channels) {
    int red = colour >> 16 & 0xff;
    int green = colour >> 8 & 0xff;
    int blue = colour & 0xff;
    if (channels == 1) {
      pixels[i] = Math.round((RED * red + GREEN * green + BLUE * blue) / 1000f);
    } else {
      pixels[i] = red;
      pixels[count + i] = green;
      pixels[2 * count + i] = blue;
    }
  }
}
