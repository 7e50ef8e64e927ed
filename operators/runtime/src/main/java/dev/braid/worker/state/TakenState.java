package dev.braid.worker.state;

import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;

/**
 * Releases state that has been put into a checkpoint. Flink copies an operator's state as soon as
 * the operator has put it into the list, and writes the copy. Otherwise the list would stay until
 * the next checkpoint, as large as a share of the model.
 */
public final class TakenState {

  private TakenState() {}

  /** Clears a list after Flink has copied it. Must be called while an operator's state is saved. */
  public static void clear(ListState<?> state, MailboxExecutor mailbox) {
    try {
      mailbox.execute(state::clear, "clear the state that a checkpoint has taken");
    } catch (RejectedExecutionException e) {
      // The task is ending and accepts no more mails; the list is freed with it.
    }
  }
}
