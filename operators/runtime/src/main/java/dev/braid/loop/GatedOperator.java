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
 * An operator that is chained in front of a member of the loop and feeds it from an input of any
 * Flink operator.
 *
 * <p>Such an input cannot be paused. The subclass therefore calls {@link #waitWhile} after each
 * element: it handles the task's mails, including those of the member and the coordinator, until
 * there is room. The element must be in the state before this call, because a mail may take a
 * snapshot. When all members are held for a checkpoint, the call does not wait: the barrier comes
 * after the elements, and the member uses no element before the barrier. Only the elements that are
 * in flight at that time arrive without room for them.
 *
 * <p>The second input is an {@link EndSource}. It keeps the task from ending with the first input,
 * because rounds and checkpoints are still to be done.
 *
 * @param <IN> type of the input's elements
 * @param <OUT> type of the member's elements
 */
public abstract class GatedOperator<IN, OUT> extends AbstractStreamOperator<OUT>
    implements TwoInputStreamOperator<IN, Integer, OUT>, BoundedMultiInput {

  private static final long serialVersionUID = 1L;

  /** Handles all mails, including those of the coordinator, which decide when the loop is held. */
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
    gate.onCount(this::countRounds);
  }

  /** Emits the elements that may be emitted. Called when there may be a credit or an end. */
  protected abstract void mayEmit() throws Exception;

  /** Handles the use of the oldest emitted element by the member. */
  protected abstract void consumed();

  /** Takes a credit for one element, if there is one; the caller then emits an element. */
  protected final boolean tryTake(int epoch) {
    return gate.tryTake(epoch);
  }

  /** Informs the member that no more elements come. */
  protected final void exhausted() {
    gate.exhausted();
  }

  /**
   * Handles mails while {@code isFull} holds, until a barrier is on its way or the loop has ended.
   */
  protected final void waitWhile(BooleanSupplier isFull) throws InterruptedException {
    while (isFull.getAsBoolean() && !gate.awaitsBarrier() && !gate.finished()) {
      mailbox.yield();
    }
  }

  @Override
  public final void processElement2(StreamRecord<Integer> element) {
    throw new IllegalStateException(
        "unexpected element at the end of the loop: " + element.getValue());
  }

  @Override
  public final void endInput(int input) throws Exception {
    if (input == 1) {
      end();
      gate.inputEnds();
      return;
    }
    // Another member may have been informed earlier than this one that training is over. If a
    // barrier is to come, a user is draining the job: the member refuses that.
    while (!gate.finished() && !gate.awaitsBarrier()) {
      mailbox.yield();
    }
  }

  /** Handles the end of the input. */
  protected abstract void end() throws Exception;

  /**
   * Returns the number of rounds for which there are or were elements. Called when the input of all
   * members has ended; no other elements may be added before {@link #endRound} is known.
   */
  protected abstract long countRounds();

  /** Returns the number of rounds of all members, once the input of all has ended. */
  protected final OptionalLong endRound() {
    return gate.endRound();
  }

  /** Runs an action in a later mail. */
  protected final void later(ThrowingRunnable<? extends Exception> action) {
    mailbox.execute(action, "feed the worker");
  }
}
