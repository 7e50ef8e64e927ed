package dev.braid.api.sample;

import dev.braid.learner.Shape;
import java.io.Serializable;
import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Makes samples of a program's records. It travels with the job, as any function of Flink does.
 *
 * @param <T> the records
 */
@PublicEvolving
public final class Encoder<T> implements Serializable {

  private static final long serialVersionUID = 1L;

  /**
   * Writes a record into a sample. The same record must give the same sample each time, as a
   * checkpoint may set training back.
   */
  @FunctionalInterface
  @PublicEvolving
  public interface Encoding<T> extends Serializable {

    /**
     * Writes a record into a sample.
     *
     * @throws Exception if the record is no sample; it is refused for that reason, as with {@link
     *     Sample#refuse}
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
   * Returns an encoder of samples that have a class each.
   *
   * @param features number of features, at least 1
   * @param classes number of classes, at least 2
   */
  public static <T> Encoder<T> ofClasses(int features, int classes, Encoding<T> encoding) {
    return new Encoder<>(Shape.rows(features, classes), encoding, false);
  }

  /**
   * Returns an encoder of samples of which a model is to predict values.
   *
   * @param features number of features, at least 1
   * @param values number of values, at least 1
   */
  public static <T> Encoder<T> ofValues(int features, int values, Encoding<T> encoding) {
    return new Encoder<>(new Shape(1, 1, features, values, Shape.Kind.VALUES), encoding, false);
  }

  /**
   * Returns an encoder of images that have a class each. Their pixels are features: channel after
   * channel, row after row.
   */
  public static <T> Encoder<T> ofImages(
      int channels, int height, int width, int classes, Encoding<T> encoding) {
    return new Encoder<>(
        new Shape(channels, height, width, classes, Shape.Kind.CLASSES), encoding, false);
  }

  /** Returns this encoder for samples that have a {@link Sample#weight}. */
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
