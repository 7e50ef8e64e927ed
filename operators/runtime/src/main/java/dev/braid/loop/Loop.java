package dev.braid.loop;

import dev.braid.loop.envelope.Envelope;
import dev.braid.wire.SerializedType;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;

/**
 * Closes the loop of a job graph:
 *
 * <pre>
 *   source ─▶ workers ─── by destination ──▶ links ─▶ feedback
 *                ▲                                       │
 *                └──────── inside the JVM ◀──────────────┘
 * </pre>
 *
 * <p>All traffic between ranks crosses the one edge from the workers, an ordinary Flink edge. A
 * topology is only a choice of destinations on it. If nothing delays or counts letters on the way,
 * those between workers in one JVM skip that edge: the sender puts them into the receiver's
 * mailbox.
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
   * @param sent the workers' main output after the operators that are chained behind the workers
   * @param links adds the operators through which messages pass, if any
   * @param type type of the envelopes
   */
  public static void close(
      SingleOutputStreamOperator<?> source,
      SingleOutputStreamOperator<Envelope> workers,
      SingleOutputStreamOperator<Envelope> sent,
      UnaryOperator<DataStream<Envelope>> links,
      SerializedType<Envelope> type) {
    sent.setBufferTimeout(FLUSH_EVERY_MESSAGE);
    DataStream<Envelope> addressed = sent.partitionCustom(new ByDestination(), Envelope::to);
    DataStream<Envelope> passed = links.apply(addressed);
    if (sent == workers && passed == addressed) {
      var transformation = (OneInputTransformation<?, ?>) workers.getTransformation();
      ((LoopOperatorFactory<?>) transformation.getOperatorFactory()).goStraight();
    }
    SingleOutputStreamOperator<Envelope> feedback =
        passed
            .transform(FEEDBACK, type, new FeedbackOperator.Factory())
            .setParallelism(workers.getParallelism());
    coLocate(source);
    coLocate(workers);
    coLocate(sent);
    coLocate(feedback);
  }

  /** Keeps subtask i in the slot of worker i: needed for links, too. */
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
