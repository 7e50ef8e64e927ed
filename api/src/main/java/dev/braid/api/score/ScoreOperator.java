package dev.braid.api.score;

import dev.braid.learner.math.NativeWorkspace;
import dev.braid.run.scoring.FeatureForm;
import dev.braid.run.scoring.RecordKey;
import dev.braid.run.scoring.RecordScore;
import dev.braid.run.scoring.RecordScorer;
import dev.braid.run.scoring.RegistryFollower;
import dev.braid.run.scoring.ScoreForm;
import dev.braid.run.scoring.ScoringMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * Scores records in small batches. A batch is scored when it is full, when its first record has
 * waited long enough, before anything but a record is passed on and, most often, when no other
 * record has arrived. To detect that, a mail follows each record: if the next mail comes without a
 * record before it, the input is idle. So batches fill under load, and a single record does not
 * wait.
 *
 * <p>No record waits for its score when a barrier is passed on, so the operator needs no state.
 *
 * @param <T> type of the records
 * @param <O> type of the emitted values
 */
final class ScoreOperator<T, O> extends AbstractStreamOperator<O>
    implements OneInputStreamOperator<T, O>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private final ScoreConfig settings;
  private final FeatureForm<T> form;
  private final RecordKey<T> key;
  private final ScoreForm<T, O> answer;
  private final transient MailboxExecutor mailbox;

  /** Copies records whose objects the previous operators reuse. */
  private transient Optional<TypeSerializer<T>> copying = Optional.empty();

  private final transient List<AutoCloseable> opened = new ArrayList<>();
  private transient RecordScorer<T> scorer;
  private transient ScoringProgress.Counts counts;

  /** Time when the first record of the batch arrived, in ms. */
  private transient long since;

  private transient long added;
  private transient long addedBefore;
  private transient boolean isWatching;

  ScoreOperator(
      StreamOperatorParameters<O> parameters,
      ScoreConfig settings,
      FeatureForm<T> form,
      RecordKey<T> key,
      ScoreForm<T, O> answer) {
    super(parameters);
    this.settings = settings;
    this.form = form;
    this.key = key;
    this.answer = answer;
    this.mailbox = parameters.getMailboxExecutor();
  }

  @Override
  public void open() throws Exception {
    super.open();
    if (getExecutionConfig().isObjectReuseEnabled()) {
      copying = Optional.of(getOperatorConfig().getTypeSerializerIn(0, getUserCodeClassloader()));
    }
    counts = new ScoringProgress.Counts(getRuntimeContext());
    ScoringMetrics metrics = new ScoringMetrics(getMetricGroup());
    RegistryFollower<T> follower =
        new RegistryFollower<>(
            "braid-versions-" + getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
            settings.choice(),
            form,
            settings.batchSize(),
            metrics,
            settings.times(),
            () -> mail(() -> scorer.swap(this::emit)));
    opened.add(follower);
    follower.await();
    scorer = new RecordScorer<>(follower, settings.choice(), key, settings.batchSize(), metrics);
    opened.add(scorer);
  }

  private void mail(ThrowingRunnable<Exception> action) {
    try {
      mailbox.execute(action, "score records");
    } catch (RejectedExecutionException e) {
      LOG.debug("the task has ended", e);
    }
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    T value = element.getValue();
    if (scorer.isEmpty()) {
      since = now();
    }
    scorer.add(element.copy(copying.isPresent() ? copying.get().copy(value) : value));
    added++;
    if (scorer.isFull()) {
      flush();
    } else if (!isWatching) {
      isWatching = true;
      mail(this::look);
    }
  }

  private long now() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  /**
   * Checks whether the input is idle. The first mail comes directly after the record; only a second
   * one shows whether a record came in between.
   */
  private void look() {
    isWatching = !scorer.isEmpty();
    if (!isWatching) {
      return;
    }
    if (added == addedBefore || now() - since >= settings.maxWaitMillis()) {
      flush();
      isWatching = false;
    } else {
      addedBefore = added;
      mail(this::look);
    }
  }

  private void flush() {
    scorer.flush(this::emit);
  }

  private void emit(StreamRecord<T> record, RecordScore score, List<String> names) {
    counts.add(score);
    output.collect(record.replace(answer.of(record.getValue(), score, names)));
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    flush();
    super.prepareSnapshotPreBarrier(checkpointId);
  }

  @Override
  public void endInput() {
    flush();
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    flush();
    super.processWatermark(mark);
  }

  @Override
  public void processWatermark(WatermarkEvent watermark) throws Exception {
    flush();
    super.processWatermark(watermark);
  }

  @Override
  public void processWatermarkStatus(WatermarkStatus status) throws Exception {
    flush();
    super.processWatermarkStatus(status);
  }

  @Override
  public void processLatencyMarker(LatencyMarker marker) throws Exception {
    flush();
    super.processLatencyMarker(marker);
  }

  @Override
  public void processRecordAttributes(RecordAttributes attributes) throws Exception {
    flush();
    super.processRecordAttributes(attributes);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable it : opened) {
      it.close();
    }
    opened.clear();
    NativeWorkspace.free();
    super.close();
  }
}
