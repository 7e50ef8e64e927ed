package dev.braid.chaos;

import dev.braid.chaos.shape.LinkShape;
import dev.braid.chaos.shape.VirtualQueue;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Payload;
import dev.braid.loop.coordinator.TaskFailure;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.EnvelopeSerializer;
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
 * One way of a rank's line: a {@link VirtualQueue} says when a letter has passed; this class keeps
 * it until then.
 *
 * <p>Nothing here waits, and letters keep their order. What is kept is no part of a checkpoint, as
 * the loop is held when one is taken: all that matters has arrived by then, and the rest is of an
 * incarnation that is over.
 */
final class ShapingOperator extends AbstractStreamOperator<Envelope>
    implements OneInputStreamOperator<Envelope, Envelope> {

  private static final long serialVersionUID = 1L;

  /** Which way. */
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

  /** For copies of what is sent: the sender may change it afterwards. */
  private final transient FloatPool pool;

  private transient VirtualQueue line;
  private transient NanoTimer timer;
  private transient boolean timerSet;
  private transient boolean finished;

  /** Changed in the task's thread, and read by reporters of metrics in others. */
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
      // What the job itself has to say is no traffic between ranks.
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

  /** The latency lies between the two lines; this clock sees it from the second one. */
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
      // It is in a network buffer now; on the way in it belongs to whom it was handed.
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
    // All ranks are done, and need nothing that is still on its way.
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

  /** Makes one way of every rank's line. */
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
