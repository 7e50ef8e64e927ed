package dev.braid.api.sample;

import dev.braid.learner.Shape;
import java.io.Serializable;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Converts a program's records to samples. It is serialized with the job, like every Flink
 * function.
 *
 * @param <T> type of the records
 */
@PublicEvolving
public final class Encoder<T> implements Serializable {

  private static final long serialVersionUID = 1L;

  /**
   * Writes a record to a sample. The same record must always give the same sample, as training can
   * restart from a checkpoint.
   */
  @FunctionalInterface
  @PublicEvolving
  public interface Encoding<T> extends Serializable {

    /**
     * Writes a record into a sample.
     *
     * @throws Exception if the record cannot be a sample; the record is refused with the exception
     *     as the reason, as by {@link Sample#refuse}
     */
    void encode(T record, Sample sample) throws Exception;
  }

  private final Shape shape;
  private final Encoding<T> encoding;
  private final boolean weighted;

  private Encoder(Shape shape, Encoding<T> encoding, boolean weighted) {
    this.shape = shape;
    this.encoding = encoding;
    this.weighted = weighted;
  }

  /**
   * Returns an encoder of samples with a class.
   *
   * @param features number of features, at least 1
   * @param classes number of classes, at least 2
   */
  public static <T> Encoder<T> ofClasses(int features, int classes, Encoding<T> encoding) {
    return new Encoder<>(Shape.rows(features, classes), encoding, false);
  }

  /**
   * Returns an encoder of samples with values to predict.
   *
   * @param features number of features, at least 1
   * @param values number of values, at least 1
   */
  public static <T> Encoder<T> ofValues(int features, int values, Encoding<T> encoding) {
    return new Encoder<>(new Shape(1, 1, features, values, Shape.Kind.VALUES), encoding, false);
  }

  /**
   * Returns an encoder of images with a class. Features are the pixels, channel by channel and row
   * by row.
   */
  public static <T> Encoder<T> ofImages(
      int channels, int height, int width, int classes, Encoding<T> encoding) {
    return new Encoder<>(
        new Shape(channels, height, width, classes, Shape.Kind.CLASSES), encoding, false);
  }

  /** Returns an encoder like this one for samples with a {@link Sample#weight}. */
  public Encoder<T> weighted() {
    return new Encoder<>(shape, encoding, true);
  }

  /** Returns whether samples have a weight. */
  @Internal
  public boolean isWeighted() {
    return weighted;
  }

  /** Returns the shape of the samples. */
  @Internal
  public Shape shape() {
    return shape;
  }

  /** Writes a record into a sample. */
  @Internal
  public void encode(T record, Sample sample) throws Exception {
    encoding.encode(record, sample);
  }
}
