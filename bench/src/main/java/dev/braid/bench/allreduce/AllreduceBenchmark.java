package dev.braid.bench.allreduce;

import dev.braid.bench.allreduce.AllreduceOperator.RoundTime;
import dev.braid.chaos.Links;
import dev.braid.exchange.ExchangeType;
import dev.braid.loop.Envelope;
import dev.braid.loop.EnvelopeTypeInfo;
import dev.braid.loop.Loop;
import java.util.Arrays;
import java.util.Locale;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/**
 * Allreduce over the loop, in an embedded Flink: the median over rounds of the slowest rank's time.
 *
 * <p>Usage: {@code AllreduceBenchmark EXCHANGE RANKS LENGTH [ROUNDS [CHUNK [SEGMENT_KIB]]]}
 */
public final class AllreduceBenchmark {

  private AllreduceBenchmark() {}

  /** Runs one measurement and prints a line of the same form as the MPI program's. */
  public static void main(String[] args) throws Exception {
    ExchangeType exchange = ExchangeType.named(args[0]).orElseThrow();
    int ranks = Integer.parseInt(args[1]);
    int length = Integer.parseInt(args[2]);
    int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 200;
    int chunk = args.length > 4 ? Integer.parseInt(args[4]) : 60_000;
    int segmentKib = args.length > 5 ? Integer.parseInt(args[5]) : 256;
    double[] millis = measure(exchange, ranks, length, rounds, chunk, segmentKib);
    Arrays.sort(millis);
    System.out.printf(
        Locale.ROOT,
        "braid-%s %d %d median %.3f ms, min %.3f, max %.3f (%d rounds, chunks of %d)%n",
        exchange.title(),
        ranks,
        length,
        millis[millis.length / 2],
        millis[0],
        millis[millis.length - 1],
        rounds,
        chunk);
  }

  @SuppressWarnings("try") // Closing may be interrupted, and then this program ends.
  private static double[] measure(
      ExchangeType exchange, int ranks, int length, int rounds, int chunk, int segmentKib)
      throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    configuration.setString("taskmanager.memory.segment-size", segmentKib + "kb");
    configuration.setString(
        "taskmanager.memory.network.min", System.getProperty("braid.network", "2gb"));
    configuration.setString(
        "taskmanager.memory.network.max", System.getProperty("braid.network", "2gb"));
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(ranks, configuration);
    SingleOutputStreamOperator<Integer> source =
        env.fromSource(new IdleSource(), WatermarkStrategy.noWatermarks(), "Idle", Types.INT);
    int warmUp = Math.max(20, rounds / 2);
    SingleOutputStreamOperator<Envelope> members =
        source.transform(
            "Allreduce",
            new EnvelopeTypeInfo(chunk),
            new AllreduceOperator.Factory(
                new AllreduceOperator.Config(exchange, length, chunk, warmUp, rounds)));
    Loop.close(
        source,
        members,
        stream -> stream.map(new Links()).returns(new EnvelopeTypeInfo(chunk)).name("Links"),
        chunk);
    double[] slowest = new double[rounds];
    try (CloseableIterator<RoundTime> times =
        members.getSideOutput(AllreduceOperator.ROUND_TIMES).executeAndCollect()) {
      while (times.hasNext()) {
        RoundTime time = times.next();
        if (!time.correct()) {
          throw new IllegalStateException("wrong sum: " + time);
        }
        slowest[time.round()] = Math.max(slowest[time.round()], time.nanos() / 1e6);
      }
    }
    return slowest;
  }
}
