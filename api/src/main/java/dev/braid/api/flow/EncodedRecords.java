package dev.braid.api.flow;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.record.InvalidRecordException;
import dev.braid.connectors.record.SampleDecoder;
import dev.braid.connectors.record.SampleForm;
import dev.braid.learner.Shape;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/**
 * Records of a topic that a program reads and encodes.
 *
 * @param schema reads the value of a record
 * @param holdout share of the samples that is held out
 */
public record EncodedRecords<T>(DeserializationSchema<T> schema, Encoder<T> encoder, double holdout)
    implements SampleForm {

  @Override
  public Shape shape() {
    return encoder.shape();
  }

  /** Does not cover the program's own code, whose changes cannot be detected. */
  @Override
  public String fingerprint() {
    return "encoded %s%s, holdout %s".formatted(shape(), isWeighted() ? ", weighted" : "", holdout);
  }

  @Override
  public boolean isWeighted() {
    return encoder.isWeighted();
  }

  @Override
  public SampleDecoder decoder() {
    try {
      schema.open(new Opening(schema.getClass().getClassLoader()));
    } catch (Exception e) {
      throw new IllegalStateException("the schema of the records cannot be opened: " + e, e);
    }
    SampleRows rows = new SampleRows(encoder, 1, holdout, 0, 0);
    return (key, value, features, offset, targets, targetOffset, weights, weightOffset) -> {
      if (value == null) {
        return SampleDecoder.Outcome.LEFT_OUT;
      }
      Optional<T> record = read(value);
      if (record.isEmpty()) {
        return SampleDecoder.Outcome.LEFT_OUT;
      }
      rows.clear();
      rows.begin();
      if (key != null) {
        rows.key(new String(key, StandardCharsets.UTF_8));
      }
      rows.write(encoder, record.get());
      Optional<String> reason = rows.end();
      if (reason.isPresent()) {
        throw new InvalidRecordException(reason.get());
      }
      return rows.copyOnly(features, offset, targets, targetOffset, weights, weightOffset);
    };
  }

  private Optional<T> read(byte[] value) {
    try {
      return Optional.ofNullable(schema.deserialize(value));
    } catch (Exception e) {
      throw new InvalidRecordException("cannot be read: " + e.getMessage());
    }
  }

  /** Context for reading records outside of Flink, where a run is recomputed. */
  private record Opening(ClassLoader classes)
      implements DeserializationSchema.InitializationContext {

    @Override
    public MetricGroup getMetricGroup() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      return SimpleUserCodeClassLoader.create(classes);
    }
  }
}
