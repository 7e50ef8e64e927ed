package dev.braid.api.flow;

import dev.braid.api.sample.Encoder;
import dev.braid.connectors.source.BatchSerializer;
import dev.braid.learner.Batch;
import dev.braid.loop.EndSource;
import dev.braid.run.training.TrainingJob;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/**
 * The part of a job that makes batches of a stream.
 *
 * @param batches batches of all ranks, for workers that are chained after them
 * @param refused records that are not samples, each with the reason
 */
public record Flow<T>(
    SingleOutputStreamOperator<Batch> batches, DataStream<Tuple2<T, String>> refused) {

  /**
   * Adds the flow to a job. The stream's records are dealt to the ranks that compute, in turn.
   *
   * @param ranks number of ranks, including those that compute nothing
   */
  public static <T> Flow<T> of(
      DataStream<T> stream, Encoder<T> encoder, FlowConfig config, int ranks) {
    OutputTag<Tuple2<T, String>> refused =
        new OutputTag<>("refused", Types.TUPLE(stream.getType(), Types.STRING));
    SingleOutputStreamOperator<Batch> batches =
        stream
            .partitionCustom(new InTurn(config.servers()), record -> 0)
            .connect(
                stream
                    .getExecutionEnvironment()
                    .fromSource(
                        new EndSource(),
                        WatermarkStrategy.noWatermarks(),
                        "End of training",
                        Types.INT)
                    .uid("end-of-training")
                    .setParallelism(1)
                    .broadcast())
            .transform(
                "Samples",
                BatchSerializer.TYPE,
                new FlowOperatorFactory<>(encoder, config, refused))
            .uid(TrainingJob.SAMPLES_UID)
            .setParallelism(ranks);
    return new Flow<>(batches, batches.getSideOutput(refused));
  }

  /** Deals the records of each sender in turn. */
  private static final class InTurn implements Partitioner<Integer> {

    private static final long serialVersionUID = 1L;

    private final int servers;
    private int next;

    InTurn(int servers) {
      this.servers = servers;
    }

    @Override
    public int partition(Integer key, int ranks) {
      next = (next + 1) % (ranks - servers);
      return next;
    }
  }
}
