package dev.braid.loop;

import dev.braid.loop.envelope.Envelope;
import dev.braid.wire.SerializedType;
import java.util.function.Function;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Closes the loop of a job graph:
 *
 * <pre>
 *   source ─▶ workers ─── by destination ──▶ links ─▶ feedback
 *                ▲                                       │
 *                └──────── inside the JVM ◀──────────────┘
 * </pre>
 *
 * <p>All traffic between ranks crosses the one edge from the workers to the links, an ordinary
 * Flink edge. A topology is only a choice of destinations on it.
 */
public final class Loop {

  /** Name of the operator that hands messages over to the workers. */
  public static final String FEEDBACK = "Back to Worker";

  private static final String CO_LOCATION = "braid-loop";
  private static final long FLUSH_EVERY_MESSAGE = 0;

  private Loop() {}

  /**
   * Leads the workers' main output back to them.
   *
   * @param source the source that is chained in front of the workers
   * @param workers the operators made by a {@link LoopOperatorFactory}
   * @param links creates the operator through which messages pass
   * @param type type of the envelopes
   */
  public static void close(
      SingleOutputStreamOperator<?> source,
      SingleOutputStreamOperator<Envelope> workers,
      Function<DataStream<Envelope>, SingleOutputStreamOperator<Envelope>> links,
      SerializedType<Envelope> type) {
    close(source, workers, workers, links, type);
  }

  /**
   * Leads the workers' main output back to them, if another operator is chained behind the workers.
   *
   * @param source the source that is chained in front of the workers
   * @param workers the operators made by a {@link LoopOperatorFactory}
   * @param sent the workers' main output after the operators that are chained behind the workers
   * @param links creates the operator through which messages pass
   * @param type type of the envelopes
   */
  public static void close(
      SingleOutputStreamOperator<?> source,
      SingleOutputStreamOperator<Envelope> workers,
      SingleOutputStreamOperator<Envelope> sent,
      Function<DataStream<Envelope>, SingleOutputStreamOperator<Envelope>> links,
      SerializedType<Envelope> type) {
    int parallelism = workers.getParallelism();
    sent.setBufferTimeout(FLUSH_EVERY_MESSAGE);
    SingleOutputStreamOperator<Envelope> passed =
        links
            .apply(sent.partitionCustom(new ByDestination(), Envelope::to))
            .setParallelism(parallelism);
    SingleOutputStreamOperator<Envelope> feedback =
        passed
            .transform(FEEDBACK, type, new FeedbackOperator.Factory())
            .setParallelism(parallelism);
    coLocate(source);
    coLocate(workers);
    coLocate(sent);
    coLocate(passed);
    coLocate(feedback);
  }

  /** Keeps subtask i in the slot of worker i. {@link #close} calls it for all its arguments. */
  public static void coLocate(SingleOutputStreamOperator<?> stream) {
    stream.getTransformation().setCoLocationGroupKey(CO_LOCATION);
  }

  private static final class ByDestination implements Partitioner<Integer> {

    private static final long serialVersionUID = 1L;

    @Override
    public int partition(Integer rank, int ranks) {
      return rank;
    }
  }
}
