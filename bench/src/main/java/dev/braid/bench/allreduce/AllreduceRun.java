package dev.braid.bench.allreduce;

import dev.braid.bench.allreduce.AllreduceOperator.RoundTime;
import dev.braid.chaos.Chaos;
import dev.braid.chaos.ChaosConfig;
import dev.braid.exchange.ExchangeOptions;
import dev.braid.exchange.registry.ExchangeType;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.Loop;
import dev.braid.loop.envelope.Envelope;
import dev.braid.wire.SerializedType;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/**
 * An allreduce over the loop, in an embedded Flink.
 *
 * @param exchange the algorithm
 * @param options options of the algorithm
 * @param ranks number of ranks
 * @param length length of the vector
 * @param chaos link faults; empty for none
 */
record AllreduceRun(
    ExchangeType exchange,
    ExchangeOptions options,
    int ranks,
    int length,
    Optional<ChaosConfig> chaos) {

  private static final int SEGMENT_BYTES = 256 * 1024;
  private static final int CHUNK = EnvelopeSerializer.LONGEST_CHUNK;
  private static final double NANOS_PER_MILLI = 1_000_000;

  /**
   * Measured rounds.
   *
   * @param millis the slowest rank's time in each round
   * @param costs of all rounds together
   */
  record Measured(double[] millis, RoundCosts costs) {}

  /**
   * Runs the rounds.
   *
   * @param warmUp number of rounds before the measured ones
   * @throws IllegalStateException if a sum is wrong
   */
  @SuppressWarnings("try") // Closing may be interrupted; the program then ends.
  Measured measure(int warmUp, int rounds) throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(ranks, settings());
    SerializedType<Envelope> envelopes = EnvelopeSerializer.type(CHUNK, chaos.isPresent());
    SingleOutputStreamOperator<Integer> source =
        env.fromSource(new IdleSource(), WatermarkStrategy.noWatermarks(), "Idle", Types.INT);
    SingleOutputStreamOperator<Envelope> members =
        source.transform(
            "Allreduce",
            envelopes,
            new AllreduceOperator.Factory(
                new AllreduceOperator.Config(exchange, options, length, warmUp, rounds)));
    Loop.close(source, members, members, this::links, envelopes);
    double[] slowest = new double[rounds];
    RoundCosts costs = RoundCosts.NONE;
    try (CloseableIterator<RoundTime> times =
        members.getSideOutput(AllreduceOperator.ROUND_TIMES).executeAndCollect()) {
      while (times.hasNext()) {
        RoundTime time = times.next();
        if (!time.correct()) {
          throw new IllegalStateException("wrong sum: " + time);
        }
        slowest[time.round()] = Math.max(slowest[time.round()], time.nanos() / NANOS_PER_MILLI);
        costs = costs.plus(time.costs());
      }
    }
    return new Measured(slowest, costs);
  }

  private DataStream<Envelope> links(DataStream<Envelope> messages) {
    return chaos.isPresent() ? Chaos.links(messages, ranks, chaos.get(), CHUNK) : messages;
  }

  /** Returns Flink's settings, as the command line sets them for training. */
  private Configuration settings() {
    Configuration settings = new Configuration();
    settings.set(PipelineOptions.OBJECT_REUSE, true);
    settings.set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, new MemorySize(SEGMENT_BYTES));
    long buffers = 4L * ranks * ranks + 40L * ranks + 100;
    MemorySize network = new MemorySize(buffers * SEGMENT_BYTES);
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
    return settings;
  }
}
