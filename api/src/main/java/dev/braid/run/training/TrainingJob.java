package dev.braid.run.training;

import dev.braid.chaos.Chaos;
import dev.braid.chaos.ChaosConfig;
import dev.braid.chaos.ShapedLinks;
import dev.braid.chaos.shape.LinkShape;
import dev.braid.coding.CodeTree;
import dev.braid.connectors.source.BatchSerializer;
import dev.braid.connectors.source.RoundSharing;
import dev.braid.connectors.source.SampleSource;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.learner.Batch;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.Loop;
import dev.braid.loop.envelope.Envelope;
import dev.braid.wire.SerializedType;
import dev.braid.worker.WorkerConfig;
import dev.braid.worker.WorkerOperatorFactory;
import dev.braid.worker.report.Reports;
import dev.braid.worker.report.WorkerOutputs;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Dataflow of training, from the samples to the workers' reports. See {@link Loop} for its shape.
 */
public final class TrainingJob {

  /** Operator UID of the sample source, which identifies its state in a checkpoint. */
  public static final String SAMPLES_UID = "samples";

  /** Operator UID of the workers, which identifies their state in a checkpoint. */
  public static final String WORKERS_UID = "workers";

  /**
   * Reports of the workers.
   *
   * @param began from each worker when it begins, and again after a restart
   * @param usage which samples of a finite data set each finished round used
   * @param offsets which offsets of a stream each finished round used
   * @param progress progress of each worker, a few times a second
   * @param evaluated evaluations at the end of each epoch
   * @param finished final report of each worker
   * @param model the final model, from worker 0 or from the servers
   */
  public record Outputs(
      DataStream<Reports.Began> began,
      DataStream<Reports.Usage> usage,
      DataStream<Reports.OffsetUse> offsets,
      DataStream<Reports.Progress> progress,
      DataStream<Reports.Evaluated> evaluated,
      DataStream<Reports.Finished> finished,
      DataStream<Reports.ModelPart> model) {}

  /** Assignment of samples to workers, as an exchange requires it. */
  private record RoundsOfExchange(ExchangeType exchange, ExchangeOptions options)
      implements RoundSharing {

    private static final long serialVersionUID = 1L;

    @Override
    public Optional<CodeTree> codes(int workers) {
      return exchange.descriptor().codes(options, workers);
    }
  }

  private TrainingJob() {}

  /** Adds the source, the workers and their loop to a job. */
  public static Outputs assemble(
      StreamExecutionEnvironment env,
      Source<Batch, ?, ?> samples,
      WorkerConfig config,
      int workers) {
    return assemble(env, samples, config, workers, Optional.empty(), Optional.empty());
  }

  /**
   * Adds the source, the workers and their loop to a job.
   *
   * @param samples a data set, or a stream; with an idle reader for each dedicated server
   * @param workers number of ranks that compute, without the servers
   * @param chaos fault injection, if the run has any
   * @param shape network that the links imitate; empty for the real one
   */
  public static Outputs assemble(
      StreamExecutionEnvironment env,
      Source<Batch, ?, ?> samples,
      WorkerConfig config,
      int workers,
      Optional<ChaosConfig> chaos,
      Optional<LinkShape> shape) {
    return assemble(source(env, samples, config, workers), config, workers, chaos, shape);
  }

  /** Adds the source of the workers' batches to a job. */
  public static SingleOutputStreamOperator<Batch> source(
      StreamExecutionEnvironment env,
      Source<Batch, ?, ?> samples,
      WorkerConfig config,
      int workers) {
    return env.fromSource(
            samples instanceof SampleSource finite ? paced(finite, config) : samples,
            WatermarkStrategy.noWatermarks(),
            "Samples",
            BatchSerializer.TYPE)
        .uid(SAMPLES_UID)
        .setParallelism(workers + config.options().dedicatedServers());
  }

  /**
   * Adds the workers and their loop to a job.
   *
   * @param source source of batches for all ranks; the workers are chained after it
   */
  public static Outputs assemble(
      SingleOutputStreamOperator<Batch> source,
      WorkerConfig config,
      int workers,
      Optional<ChaosConfig> chaos,
      Optional<LinkShape> shape) {
    int ranks = workers + config.options().dedicatedServers();
    SerializedType<Envelope> envelopes =
        EnvelopeSerializer.type(config.chunkLength(), chaos.isPresent());
    SingleOutputStreamOperator<Envelope> trained =
        source
            .transform("Worker", envelopes, new WorkerOperatorFactory(config))
            .uid(WORKERS_UID)
            .setParallelism(ranks);
    Loop.close(
        source,
        trained,
        shape
            .map(lines -> ShapedLinks.egress(trained, lines, envelopes, config.chunkLength()))
            .orElse(trained),
        messages -> {
          DataStream<Envelope> passed =
              chaos.isPresent()
                  ? Chaos.links(messages, ranks, chaos.get(), config.chunkLength())
                  : messages;
          return shape.isPresent()
              ? ShapedLinks.ingress(passed, ranks, shape.get(), envelopes, config.chunkLength())
              : passed;
        },
        envelopes);
    return new Outputs(
        trained.getSideOutput(WorkerOutputs.BEGAN),
        trained.getSideOutput(WorkerOutputs.USAGE),
        trained.getSideOutput(WorkerOutputs.OFFSETS),
        trained.getSideOutput(WorkerOutputs.PROGRESS),
        trained.getSideOutput(WorkerOutputs.EVALUATED),
        trained.getSideOutput(WorkerOutputs.FINISHED),
        trained.getSideOutput(WorkerOutputs.MODEL));
  }

  private static SampleSource paced(SampleSource samples, WorkerConfig config) {
    return samples
        .paced(config.stateFormat().exchange())
        .shared(new RoundsOfExchange(config.exchange(), config.options()));
  }
}
