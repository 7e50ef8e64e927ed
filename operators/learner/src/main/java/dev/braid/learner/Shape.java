package dev.braid.learner;

import java.io.Serializable;

/**
 * The shape of a data set: images of {@code channels} x {@code height} x {@code width}, or flat
 * rows (one channel, height 1). Each sample has one class, or one or more values.
 *
 * @param outputs number of a model's outputs for a sample: one for each class, or for each value
 * @param kind whether the targets are classes or values
 */
public record Shape(int channels, int height, int width, int outputs, Kind kind)
    implements Serializable {

  /** Kind of target that a model predicts. */
  public enum Kind {
    /** One class per sample: a classification. */
    CLASSES,
    /** One or more values per sample: a regression. */
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

  /** Creates a shape of samples that have classes. */
  public Shape(int channels, int height, int width, int classes) {
    this(channels, height, width, classes, Kind.CLASSES);
  }

  /** Returns the shape of flat rows of {@code features} numbers, with classes. */
  public static Shape rows(int features, int classes) {
    return new Shape(1, 1, features, classes);
  }

  /** Returns the number of features per sample. */
  public int features() {
    return channels * height * width;
  }

  /** Returns the number of classes; 0 if the samples have values. */
  public int classes() {
    return kind == Kind.CLASSES ? outputs : 0;
  }

  /** Returns whether the targets are values, rather than classes. */
  public boolean hasValues() {
    return kind == Kind.VALUES;
  }

  /** Returns the shape of these samples with {@code values} values each. */
  public Shape withValues(int values) {
    return new Shape(channels, height, width, values, Kind.VALUES);
  }

  /** Returns whether the samples are images rather than flat rows. */
  public boolean isImage() {
    return height > 1;
  }
}
