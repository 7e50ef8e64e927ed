package dev.braid.learner;

import java.io.Serializable;

/**
 * The shape of a data set: images of {@code channels} x {@code height} x {@code width}, or flat
 * rows (one channel, height 1), in {@code classes} classes.
 */
public record Shape(int channels, int height, int width, int classes) implements Serializable {

  public Shape {
    if (channels < 1 || height < 1 || width < 1 || classes < 2) {
      throw new IllegalArgumentException(
          channels
              + "x"
              + height
              + "x"
              + width
              + " in "
              + classes
              + " classes: sides of 1 and 2 classes are the least");
    }
  }

  /** Flat rows of {@code features} numbers. */
  public static Shape rows(int features, int classes) {
    return new Shape(1, 1, features, classes);
  }

  /** Numbers of a sample. */
  public int features() {
    return channels * height * width;
  }

  /** Whether the samples are images rather than flat rows. */
  public boolean isImage() {
    return height > 1;
  }
}
