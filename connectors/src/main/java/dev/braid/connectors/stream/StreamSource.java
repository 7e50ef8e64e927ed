package dev.braid.connectors.stream;

import dev.braid.connectors.lineage.Lineage;
import dev.braid.connectors.source.BatchSerializer;
import dev.braid.learner.Batch;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The records of a Kafka topic as batches for training, shared by the workers, without end or up to
 * given offsets.
 *
 * <p>A batch is a function of offsets, never of arrival: see {@link StreamEnumerator}. Each offset
 * is in one batch of one worker, across failures and with other numbers of workers. A run can be
 * recomputed to the bit from the topic and the {@link Lineage}.
 *
 * <p>The worker must be chained behind the source, in the same task, as for a {@link
 * dev.braid.connectors.source.SampleSource}.
 */
public final class StreamSource
    implements Source<Batch, StreamPosition, StreamState>,
        SupportsSplitReassignmentOnRecovery,
        ResultTypeQueryable<Batch> {

  private static final long serialVersionUID = 1L;

  private static final String ATTEMPT_ID_VARIABLE = "<task_attempt_id>";

  private final StreamConfig config;

  /** Creates a source of a topic's records. */
  public StreamSource(StreamConfig config) {
    this.config = config;
  }

  @Override
  public Boundedness getBoundedness() {
    return config.section().until() == null && config.windows().most() == StreamConfig.ENDLESS
        ? Boundedness.CONTINUOUS_UNBOUNDED
        : Boundedness.BOUNDED;
  }

  @Override
  public SourceReader<Batch, StreamPosition> createReader(SourceReaderContext context) {
    Map<String, String> variables = context.metricGroup().getAllVariables();
    int workers = context.currentParallelism() - config.batches().idleReaders();
    return new StreamReader(
        context,
        config,
        variables.get(ATTEMPT_ID_VARIABLE),
        context.getIndexOfSubtask() >= workers);
  }

  @Override
  public SplitEnumerator<StreamPosition, StreamState> createEnumerator(
      SplitEnumeratorContext<StreamPosition> context) {
    return new StreamEnumerator(context, config, Optional.empty(), Optional.empty());
  }

  /**
   * {@inheritDoc}
   *
   * <p>If the checkpoint has other records, the start of the returned enumerator fails. Throwing an
   * exception here would be too early: Flink does not end a job that fails before it runs, so that
   * the job hangs.
   */
  @Override
  public SplitEnumerator<StreamPosition, StreamState> restoreEnumerator(
      SplitEnumeratorContext<StreamPosition> context, StreamState checkpoint) {
    return new StreamEnumerator(context, config, Optional.of(checkpoint), mistake(checkpoint));
  }

  private Optional<String> mistake(StreamState checkpoint) {
    if (!checkpoint.unreadable().isEmpty()) {
      return Optional.of(checkpoint.unreadable());
    }
    return checkpoint.fingerprint().equals(config.form().fingerprint())
        ? Optional.empty()
        : Optional.of(
            config.topic()
                + ": the checkpoint was made with features, classes or scales that differ from "
                + "the data file");
  }

  @Override
  public SimpleVersionedSerializer<StreamPosition> getSplitSerializer() {
    return new StreamPosition.Serializer();
  }

  @Override
  public SimpleVersionedSerializer<StreamState> getEnumeratorCheckpointSerializer() {
    return stateSerializer();
  }

  /** Returns the serializer of an enumerator's state. */
  public static SimpleVersionedSerializer<StreamState> stateSerializer() {
    return new StreamState.Serializer();
  }

  @Override
  public TypeInformation<Batch> getProducedType() {
    return BatchSerializer.TYPE;
  }
}
