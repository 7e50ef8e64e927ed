package dev.braid.loop;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Pull;
import dev.braid.job.FlinkExtension;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.EnvelopeSerializer;
import dev.braid.loop.envelope.LoopKey;
import dev.braid.wire.SerializedType;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.runtime.mailbox.SyncMailboxExecutor;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A rank receives messages from two, one of which sends no barrier for a while, as one behind a
 * network path that is cut.
 */
@Timeout(120)
class BarrierWatchITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final LoopKey KEY = new LoopKey("a job", "a loop", 0, 0);
  private static final Duration INTERVAL = Duration.ofMillis(100);
  private static final long LETTERS_PER_SECOND = 2000;

  private static final ConditionFactory WITHIN_A_MINUTE = Awaitility.await().atMost(1, MINUTES);

  /** How the test and the tasks, which share a JVM, tell each other what has happened. */
  private static final class Seen {
    static final CountDownLatch PATH_IS_WHOLE = new CountDownLatch(1);
    static final AtomicBoolean OTHER_IS_STOPPED = new AtomicBoolean();
    static final AtomicLong OTHERS_CHECKPOINT = new AtomicLong();

    /** The first checkpoint of which the other rank sends no barrier, and the letters before. */
    static final AtomicLong STUCK_CHECKPOINT = new AtomicLong(Long.MAX_VALUE);

    static final AtomicLong SENT_BEFORE = new AtomicLong(Long.MAX_VALUE);
    static final AtomicLong LAST_HEARD = new AtomicLong();
    static final AtomicLong COMPLETED = new AtomicLong();
  }

  @Test
  void aBarrierThatStaysAwayMakesNobodyDeaf() throws Exception {
    Configuration settings = new Configuration();
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, INTERVAL);
    settings.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, Integer.MAX_VALUE);
    StreamExecutionEnvironment environment = FLINK.environment(2, settings);
    SerializedType<Envelope> type = EnvelopeSerializer.type(1, false);
    environment
        .fromSource(
            new DataGeneratorSource<>(
                number -> number,
                Long.MAX_VALUE,
                RateLimiterStrategy.perSecond(LETTERS_PER_SECOND),
                Types.LONG),
            WatermarkStrategy.noWatermarks(),
            "numbers")
        .map(new Rank())
        .returns(type)
        .partitionCustom((to, ranks) -> to, Envelope::to)
        .transform(Loop.FEEDBACK, type, new FeedbackOperator.Factory())
        .setParallelism(1);

    try (FeedbackEdge edge =
        FeedbackEdge.open(
            KEY,
            // The rank that hears has no task of its own here.
            new SyncMailboxExecutor(),
            envelope -> Seen.LAST_HEARD.set(((Letter) envelope).message().round()))) {
      assertThat(edge).isNotNull();
      environment.executeAsync();
      WITHIN_A_MINUTE.until(() -> Seen.LAST_HEARD.get() > Seen.SENT_BEFORE.get());
      assertThat(Seen.COMPLETED).hasValueLessThan(Seen.STUCK_CHECKPOINT.get());

      Seen.PATH_IS_WHOLE.countDown();
      WITHIN_A_MINUTE.until(() -> Seen.COMPLETED.get() > Seen.STUCK_CHECKPOINT.get());
    }
  }

  /** Rank 0 sends letters; rank 1 is stopped, and so sends no barrier. */
  private static final class Rank extends RichMapFunction<Long, Envelope>
      implements CheckpointedFunction, CheckpointListener {

    private static final long serialVersionUID = 1L;

    private long sent;

    @Override
    public Envelope map(Long number) throws InterruptedException {
      if (isOther()) {
        Seen.OTHER_IS_STOPPED.set(true);
        Seen.PATH_IS_WHOLE.await();
        return letter(1, 0);
      }
      return sent == 0 ? greeting() : letter(0, sent++);
    }

    private Envelope greeting() {
      sent++;
      return new Greeting(0, KEY, FeedbackEdge.JVM, FeedbackEdge.host());
    }

    private static Letter letter(int from, long round) {
      return new Letter(0, new Message(from, 0, round, new Pull.Withdraw(0)));
    }

    private boolean isOther() {
      return getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 1;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
      long checkpoint = context.getCheckpointId();
      if (isOther()) {
        Seen.OTHERS_CHECKPOINT.set(checkpoint);
      } else if (Seen.OTHER_IS_STOPPED.get()
          && Seen.OTHERS_CHECKPOINT.get() < checkpoint
          && Seen.STUCK_CHECKPOINT.compareAndSet(Long.MAX_VALUE, checkpoint)) {
        Seen.SENT_BEFORE.set(sent);
      }
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {}

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      Seen.COMPLETED.set(checkpoint);
    }
  }
}
