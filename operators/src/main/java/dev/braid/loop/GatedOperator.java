package dev.braid.loop;

import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.util.function.ThrowingRunnable;

/**
 * An operator that is chained in front of a member of the loop, and feeds it from an input that any
 * operator of Flink may have.
 *
 * <p>Such an input cannot be told to pause. So {@link #waitWhile} is called behind each element: it
 * handles the mails of the task, among them all of the member and of the coordinator, until there
 * is room. It must be called when the element is in the state already, as a mail may take a
 * snapshot. When all members are held for a checkpoint there is no waiting: the barrier is behind
 * the elements, and the member uses up none until it has come. So no more than what is in flight
 * comes without room for it.
 *
 * <p>The second input is an {@link EndSource}. The task must not end with the first input, because
 * rounds are still to be done and checkpoints to be taken.
 *
 * @param <IN> elements of the input
 * @param <OUT> what the member works on
 */
public abstract class GatedOperator<IN, OUT> extends AbstractStreamOperator<OUT>
    implements TwoInputStreamOperator<IN, Integer, OUT>, BoundedMultiInput {

  private static final long serialVersionUID = 1L;

  /** Takes all mails: those of the coordinator, too, which decide when the loop is held. */
  private final transient MailboxExecutor mailbox;

  private transient SourceGate gate;

  protected GatedOperator(StreamOperatorParameters<OUT> parameters) {
    super(parameters);
    mailbox =
        getContainingTask().getMailboxExecutorFactory().createExecutor(TaskMailbox.MIN_PRIORITY);
  }

  @Override
  public void open() throws Exception {
    super.open();
    gate = SourceGate.of(getContainingTask().getEnvironment().getExecutionId().toString());
    gate.onCredit(() -> later(this::mayEmit));
    gate.onConsumed(this::consumed);
  }

  /** There may be a credit, or an end: emits what may be emitted. */
  protected abstract void mayEmit() throws Exception;

  /** The member has used up the oldest element that was emitted. */
  protected abstract void consumed();

  /** Takes a credit for one element, if there is one; the caller then emits an element. */
  protected final boolean tryTake(int epoch) {
    return gate.tryTake(epoch);
  }

  /** Has the member know that no element comes any more. */
  protected final void exhausted() {
    gate.exhausted();
  }

  /**
   * Handles mails as long as this is so, no barrier is on its way, and the loop is not at its end.
   */
  protected final void waitWhile(BooleanSupplier isFull) throws InterruptedException {
    while (isFull.getAsBoolean() && !gate.awaitsBarrier() && !gate.finished()) {
      mailbox.yield();
    }
  }

  @Override
  public final void processElement2(StreamRecord<Integer> element) {
    throw new IllegalStateException("the loop's end has no elements: " + element.getValue());
  }

  @Override
  public final void endInput(int input) throws Exception {
    if (input == 1) {
      gate.inputEnds(end());
      return;
    }
    // Another member may have heard before this one that training is over. With a barrier to come,
    // somebody drains the job: the member refuses that.
    while (!gate.finished() && !gate.awaitsBarrier()) {
      mailbox.yield();
    }
  }

  /**
   * The input has ended.
   *
   * @return number of rounds that it is enough for
   */
  protected abstract long end() throws Exception;

  /** Returns the number of rounds of all members, once the input of all has ended. */
  protected final OptionalLong endRound() {
    return gate.endRound();
  }

  /** Has something done in a mail. */
  protected final void later(ThrowingRunnable<? extends Exception> action) {
    mailbox.execute(action, "feed the worker");
  }
}
