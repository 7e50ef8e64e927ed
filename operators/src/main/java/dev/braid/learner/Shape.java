package dev.braid.learner;

import java.io.Serializable;

/**
 * The shape of a data set: images of {@code channels} x {@code height} x {@code width}, or flat
 * rows (one channel, height 1), each with one of so many classes, or with so many values.
 *
 * @param outputs how many numbers a model is to give of a sample: one for each class, or value
 * @param kind what they are
 */
public record Shape(int channels, int height, int width, int outputs, Kind kind)
    implements Serializable {

  /** What a model is to say of a sample. */
  public enum Kind {
    /** Which class it is of. */
    CLASSES,
    /** Values: a regression. */
    VALUES
  }

  public Shape {
    int least = kind == Kind.CLASSES ? 2 : 1;
    if (channels < 1 || height < 1 || width < 1 || outputs < least) {
      throw new IllegalArgumentException(
          channels
              + "x"
              + height
              + "x"
              + width
              + " in "
              + outputs
              + (kind == Kind.CLASSES
                  ? " classes: sides must be 1 or more, and classes 2 or more"
                  : " values: sides and values must be 1 or more"));
    }
  }

  /** Of samples that have classes. */
  public Shape(int channels, int height, int width, int classes) {
    this(channels, height, width, classes, Kind.CLASSES);
  }

  /** Flat rows of {@code features} numbers, with classes. */
  public static Shape rows(int features, int classes) {
    return new Shape(1, 1, features, classes);
  }

  /** Numbers of a sample. */
  public int features() {
    return channels * height * width;
  }

  /** How many classes there are; 0 where samples have values. */
  public int classes() {
    return kind == Kind.CLASSES ? outputs : 0;
  }

  /** Whether a model is to give values, rather than a class. */
  public boolean hasValues() {
    return kind == Kind.VALUES;
  }

  /** The same samples with so many values each. */
  public Shape withValues(int values) {
    return new Shape(channels, height, width, values, Kind.VALUES);
  }

  /** Whether the samples are images rather than flat rows. */
  public boolean isImage() {
    return height > 1;
  }
}
