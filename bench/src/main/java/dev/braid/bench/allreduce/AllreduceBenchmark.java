package dev.braid.bench.allreduce;

import dev.braid.bench.Stats;
import dev.braid.bench.allreduce.AllreduceOperator.RoundTime;
import dev.braid.chaos.Links;
import dev.braid.exchange.ExchangeType;
import dev.braid.loop.Envelope;
import dev.braid.loop.EnvelopeTypeInfo;
import dev.braid.loop.Loop;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/**
 * Allreduce over the loop, in an embedded Flink: in each round the slowest rank's time.
 *
 * <p>Usage: {@code AllreduceBenchmark EXCHANGE RANKS LENGTH [ROUNDS]}; prints a line of the same
 * form as the MPI program: ranks, length, median, minimum and maximum in milliseconds.
 */
public final class AllreduceBenchmark {

  private static final int DEFAULT_ROUNDS = 300;
  private static final int SEGMENT_BYTES = 256 * 1024;
  private static final int CHUNK = (SEGMENT_BYTES - 256) / Float.BYTES;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private AllreduceBenchmark() {}

  /** Runs one measurement. */
  public static void main(String[] args) throws Exception {
    Optional<ExchangeType> exchange =
        args.length < 3 ? Optional.empty() : ExchangeType.named(args[0]);
    if (exchange.isEmpty()) {
      System.err.println(
          "usage: AllreduceBenchmark EXCHANGE RANKS LENGTH [ROUNDS], with an exchange of "
              + ExchangeType.titles());
      System.exit(2);
    }
    int ranks = Integer.parseInt(args[1]);
    int length = Integer.parseInt(args[2]);
    int rounds = args.length > 3 ? Integer.parseInt(args[3]) : DEFAULT_ROUNDS;
    Stats millis = Stats.of(measure(exchange.orElseThrow(), ranks, length, rounds));
    System.out.printf(
        Locale.ROOT,
        "%d %d %.3f %.3f %.3f%n",
        ranks,
        length,
        millis.median(),
        millis.min(),
        millis.max());
  }

  @SuppressWarnings("try") // Closing may be interrupted, and then this program ends.
  private static double[] measure(ExchangeType exchange, int ranks, int length, int rounds)
      throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(ranks, settings(ranks));
    SingleOutputStreamOperator<Integer> source =
        env.fromSource(new IdleSource(), WatermarkStrategy.noWatermarks(), "Idle", Types.INT);
    SingleOutputStreamOperator<Envelope> members =
        source.transform(
            "Allreduce",
            new EnvelopeTypeInfo(CHUNK),
            new AllreduceOperator.Factory(
                new AllreduceOperator.Config(exchange, length, CHUNK, rounds, rounds)));
    Loop.close(
        source,
        members,
        stream -> stream.map(new Links()).returns(new EnvelopeTypeInfo(CHUNK)).name("Links"),
        new EnvelopeTypeInfo(CHUNK));
    double[] slowest = new double[rounds];
    try (CloseableIterator<RoundTime> times =
        members.getSideOutput(AllreduceOperator.ROUND_TIMES).executeAndCollect()) {
      while (times.hasNext()) {
        RoundTime time = times.next();
        if (!time.correct()) {
          throw new IllegalStateException("wrong sum: " + time);
        }
        slowest[time.round()] =
            Math.max(slowest[time.round()], (double) time.nanos() / NANOS_PER_MILLI);
      }
    }
    return slowest;
  }

  /** As the command line sets Flink up for training. */
  private static Configuration settings(int ranks) {
    Configuration settings = new Configuration();
    settings.set(PipelineOptions.OBJECT_REUSE, true);
    settings.set(TaskManagerOptions.MEMORY_SEGMENT_SIZE, new MemorySize(SEGMENT_BYTES));
    MemorySize network = new MemorySize((4L * ranks * ranks + 20L * ranks + 100) * SEGMENT_BYTES);
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MIN, network);
    settings.set(TaskManagerOptions.NETWORK_MEMORY_MAX, network);
    return settings;
  }
}
