package dev.braid.loop;

import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.RoundsBegin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The end of the dataflow, which closes the loop: it puts the envelopes for rank i into the mailbox
 * of worker i, which shares its slot. It shares a task with the links, and watches the barriers of
 * their input.
 */
final class FeedbackOperator extends AbstractStreamOperator<Envelope>
    implements OneInputStreamOperator<Envelope, Envelope> {

  private static final long serialVersionUID = 1L;

  /** Receives the worker's envelopes, once its greeting has arrived. */
  private transient Consumer<Envelope> worker;

  /** Envelopes from ranks that began before this operator's worker. */
  private final transient List<Envelope> beforeGreeting = new ArrayList<>();

  private transient Optional<BarrierWatch> watch;

  FeedbackOperator(StreamOperatorParameters<Envelope> parameters) {
    super(parameters);
  }

  @Override
  public void open() throws Exception {
    super.open();
    watch = BarrierWatch.over(getContainingTask());
    watch.ifPresent(
        it -> {
          long millis = BarrierWatch.INTERVAL.toMillis();
          var unused =
              getProcessingTimeService().scheduleWithFixedDelay(time -> it.look(), millis, millis);
        });
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    watch.ifPresent(it -> it.allHere(context.getCheckpointId()));
  }

  @Override
  public void notifyCheckpointAborted(long checkpoint) throws Exception {
    super.notifyCheckpointAborted(checkpoint);
    if (watch.isPresent()) {
      watch.get().aborted(checkpoint);
    }
  }

  @Override
  public void processElement(StreamRecord<Envelope> element) {
    Envelope envelope = element.getValue();
    if (envelope instanceof Greeting greeting) {
      worker = FeedbackEdge.find(greeting).<Consumer<Envelope>>map(e -> e::put).orElse(lost -> {});
      beforeGreeting.forEach(worker);
      beforeGreeting.clear();
    } else if (envelope instanceof RoundsBegin) {
      // It was for the links.
      return;
    } else if (worker == null) {
      beforeGreeting.add(envelope);
    } else {
      worker.accept(envelope);
    }
  }

  static final class Factory extends AbstractStreamOperatorFactory<Envelope>
      implements OneInputStreamOperatorFactory<Envelope, Envelope> {

    private static final long serialVersionUID = 1L;

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <T extends StreamOperator<Envelope>> T createStreamOperator(
        StreamOperatorParameters<Envelope> parameters) {
      return (T) new FeedbackOperator(parameters);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
      return FeedbackOperator.class;
    }
  }
}
