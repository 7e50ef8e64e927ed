package dev.braid.loop;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Pull;
import dev.braid.job.FlinkExtension;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.wire.SerializedType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
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
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.mailbox.SyncMailboxExecutor;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rank receives messages from two ranks, one of which sends no barrier for a while, as if its
 * network path were cut.
 */
@Timeout(120)
class BarrierWatchITCase {

  @RegisterExtension static final FlinkExtension FLINK = new FlinkExtension();

  private static final long LETTERS_PER_SECOND = 2000;

  private static final ConditionFactory WITHIN_A_MINUTE = Awaitility.await().atMost(1, MINUTES);

  /** State shared by a test and the tasks, which run in the same JVM. */
  private static final class Seen {
    /** Number of the feedback edge. */
    volatile long edge;

    final CountDownLatch pathIsWhole = new CountDownLatch(1);
    final AtomicBoolean otherIsStopped = new AtomicBoolean();
    final AtomicLong othersCheckpoint = new AtomicLong();

    /**
     * The first checkpoint for which the other rank sends no barrier, and the number of messages
     * before it.
     */
    final AtomicLong stuckCheckpoint = new AtomicLong(Long.MAX_VALUE);

    final AtomicLong sentBefore = new AtomicLong(Long.MAX_VALUE);
    final AtomicLong lastHeard = new AtomicLong();
    final AtomicLong completed = new AtomicLong();
  }

  private static volatile Seen seen = new Seen();

  @BeforeEach
  void forget() {
    seen = new Seen();
  }

  @Test
  void aBarrierThatStaysAwayMakesNobodyDeaf() throws Exception {
    try (FeedbackEdge edge = edge()) {
      assertThat(edge).isNotNull();
      job(Duration.ofMillis(100)).executeAsync();
      WITHIN_A_MINUTE.until(() -> seen.lastHeard.get() > seen.sentBefore.get());
      assertThat(seen.completed).hasValueLessThan(seen.stuckCheckpoint.get());

      seen.pathIsWhole.countDown();
      WITHIN_A_MINUTE.until(() -> seen.completed.get() > seen.stuckCheckpoint.get());
    }
  }

  @Test
  void aSavepointIsWaitedFor(@TempDir Path folder) throws Exception {
    try (FeedbackEdge edge = edge()) {
      assertThat(edge).isNotNull();
      JobClient job = job(Duration.ofDays(1)).executeAsync();
      WITHIN_A_MINUTE.until(() -> seen.otherIsStopped.get() && seen.lastHeard.get() > 0);
      FLINK.awaitAllTasks(job);
      CompletableFuture<String> savepoint =
          job.triggerSavepoint(folder.toUri().toString(), SavepointFormatType.DEFAULT);
      WITHIN_A_MINUTE.until(() -> seen.sentBefore.get() < Long.MAX_VALUE);
      assertThat(savepoint)
          .as("longer than a checkpoint would be waited for")
          .failsWithin(Duration.ofSeconds(3))
          .withThrowableThat()
          .isInstanceOf(TimeoutException.class);

      seen.pathIsWhole.countDown();
      assertThat(savepoint).succeedsWithin(Duration.ofMinutes(1));
      long before = seen.sentBefore.get();
      WITHIN_A_MINUTE.until(() -> seen.lastHeard.get() > before);
    }
  }

  /** Opens the receiving end of the loop, which has no task here. */
  private static FeedbackEdge edge() {
    FeedbackEdge edge = FeedbackEdge.open(new SyncMailboxExecutor());
    edge.begin(envelope -> seen.lastHeard.set(((Letter) envelope).message().round()));
    seen.edge = edge.number();
    return edge;
  }

  private static StreamExecutionEnvironment job(Duration checkpointInterval) {
    Configuration settings = new Configuration();
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
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
    return environment;
  }

  /** Source of messages: rank 0 sends them; rank 1 is stopped and therefore sends no barrier. */
  private static final class Rank extends RichMapFunction<Long, Envelope>
      implements CheckpointedFunction, CheckpointListener {

    private static final long serialVersionUID = 1L;

    private long sent;

    @Override
    public Envelope map(Long number) throws InterruptedException {
      if (isOther()) {
        seen.otherIsStopped.set(true);
        seen.pathIsWhole.await();
        return letter(1, 0);
      }
      return sent == 0 ? greeting() : letter(0, sent++);
    }

    private Envelope greeting() {
      sent++;
      return new Greeting(0, seen.edge, FeedbackEdge.JVM, FeedbackEdge.host());
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
        seen.othersCheckpoint.set(checkpoint);
      } else if (seen.otherIsStopped.get()
          && seen.othersCheckpoint.get() < checkpoint
          && seen.stuckCheckpoint.compareAndSet(Long.MAX_VALUE, checkpoint)) {
        seen.sentBefore.set(sent);
      }
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {}

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      seen.completed.set(checkpoint);
    }
  }
}
