package dev.braid.worker.state;

import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;

/**
 * Lets go of state that a checkpoint takes. Flink makes a copy of its own as soon as an operator
 * has put its state into the list, and writes that; the list would stay until the next checkpoint,
 * as large as a share of the model.
 */
public final class TakenState {

  private TakenState() {}

  /** Clears a list when Flink has copied it; to be called while an operator's state is saved. */
  public static void clear(ListState<?> state, MailboxExecutor mailbox) {
    try {
      mailbox.execute(state::clear, "clear the state that a checkpoint has taken");
    } catch (RejectedExecutionException e) {
      // The task is at its end, and takes no more mails: the list goes with it.
    }
  }
}
