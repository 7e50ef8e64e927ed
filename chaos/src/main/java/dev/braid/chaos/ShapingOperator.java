package dev.braid.chaos;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.shape.VirtualQueue;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.loop.EnvelopeSerializer;
import dev.braid.loop.TaskFailure;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.vector.FloatPool;
import dev.braid.worker.report.BraidMetric;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * One direction of a rank's line: a {@link VirtualQueue} computes when a letter has passed; this
 * operator keeps the letter until then.
 *
 * <p>Nothing here blocks, and letters keep their order. Kept letters are not part of a checkpoint,
 * since the loop is held when a checkpoint is taken: all letters that matter have arrived by then,
 * and the rest belongs to an incarnation that is over.
 */
final class ShapingOperator extends AbstractStreamOperator<Envelope>
    implements OneInputStreamOperator<Envelope, Envelope> {

  private static final long serialVersionUID = 1L;

  /** Direction of the line. */
  enum End {
    EGRESS,
    INGRESS
  }

  private static final int POOLED_COPIES = 64;

  private final End end;
  private final LinkShape shape;
  private final transient MailboxExecutor mailbox;
  private final transient StreamRecord<Envelope> record = new StreamRecord<>(null);
  private final transient HeldLetters held = new HeldLetters();

  /** Pool for copies of sent values, which the sender may change afterwards. */
  private final transient FloatPool pool;

  private transient VirtualQueue line;
  private transient NanoTimer timer;
  private transient boolean timerSet;
  private transient boolean finished;

  /** Changed in the task's thread, and read by metric reporters in other threads. */
  private transient AtomicLong heldBytes;

  private ShapingOperator(
      StreamOperatorParameters<Envelope> parameters, End end, LinkShape shape, int chunkLength) {
    super(parameters);
    this.end = end;
    this.shape = shape;
    this.pool = new FloatPool(chunkLength, POOLED_COPIES);
    this.mailbox = parameters.getMailboxExecutor();
  }

  @Override
  public void open() throws Exception {
    super.open();
    line = shape.line();
    heldBytes = new AtomicLong();
    int rank = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    timer = new NanoTimer("braid-line-" + rank, mailbox, TaskFailure.of(this));
    getMetricGroup()
        .addGroup(BraidMetric.GROUP)
        .gauge(
            end == End.EGRESS
                ? BraidMetric.EGRESS_BACKLOG.key()
                : BraidMetric.INGRESS_BACKLOG.key(),
            (Gauge<Long>) heldBytes::get);
  }

  @Override
  public void processElement(StreamRecord<Envelope> element) {
    if (element.getValue() instanceof Letter letter) {
      pass(letter);
    } else {
      // Other envelopes are the job's own, not traffic between ranks.
      output.collect(element);
    }
  }

  private void pass(Letter letter) {
    long now = System.nanoTime();
    long passed = passedNanos(EnvelopeSerializer.bytes(letter.message()), now);
    release(now);
    if (passed <= now) {
      emit(letter);
    } else {
      hold(letter, passed);
      setTimer(now);
    }
  }

  /**
   * Returns when a message has passed this line, in nanoseconds. The latency lies between the two
   * lines, so only the second line adds it.
   */
  private long passedNanos(long bytes, long now) {
    return end == End.EGRESS
        ? line.send(bytes, now)
        : line.receive(bytes, now + shape.latencyNanos());
  }

  private void hold(Letter letter, long untilNanos) {
    heldBytes.addAndGet(EnvelopeSerializer.bytes(letter.message()));
    held.add(untilNanos, end == End.EGRESS ? copy(letter) : letter);
  }

  private Letter copy(Letter letter) {
    Message message = letter.message();
    Payload copy = message.payload().copy(pool::lend);
    return new Letter(letter.incarnation(), message.withPayload(copy));
  }

  private void release(long now) {
    held.release(now, this::emitHeld);
  }

  private void emitHeld(Letter letter) {
    heldBytes.addAndGet(-EnvelopeSerializer.bytes(letter.message()));
    emit(letter);
    if (end == End.EGRESS) {
      // The letter is in a network buffer by now; on the way in, its receiver owns it.
      letter.message().release();
    }
  }

  private void emit(Letter letter) {
    output.collect(record.replace(letter));
  }

  private void setTimer(long now) {
    if (!timerSet && !held.isEmpty()) {
      timerSet = true;
      timer.callIn(held.nextNanos() - now, this::due);
    }
  }

  private void due() {
    timerSet = false;
    if (!finished) {
      long now = System.nanoTime();
      release(now);
      setTimer(now);
    }
  }

  @Override
  public void finish() throws Exception {
    // All ranks are done, and need no letter that is still in flight.
    finished = true;
    super.finish();
  }

  @Override
  public void close() throws Exception {
    if (timer != null) {
      timer.close();
    }
    held.discard();
    super.close();
  }

  /** Creates one direction of each rank's line. */
  static final class Factory extends AbstractStreamOperatorFactory<Envelope>
      implements OneInputStreamOperatorFactory<Envelope, Envelope> {

    private static final long serialVersionUID = 1L;

    private final End end;
    private final LinkShape shape;
    private final int chunkLength;

    Factory(End end, LinkShape shape, int chunkLength) {
      this.end = end;
      this.shape = shape;
      this.chunkLength = chunkLength;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <T extends StreamOperator<Envelope>> T createStreamOperator(
        StreamOperatorParameters<Envelope> parameters) {
      return (T) new ShapingOperator(parameters, end, shape, chunkLength);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
      return ShapingOperator.class;
    }
  }
}
