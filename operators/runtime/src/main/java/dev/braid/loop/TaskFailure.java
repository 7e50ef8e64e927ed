package dev.braid.loop;

import java.util.function.Consumer;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;

/**
 * Fails a task from a thread of its operator that cannot throw into the task. It works even if a
 * mail does not: a mail needs memory, and a task that reads its mailbox.
 */
public final class TaskFailure {

  private TaskFailure() {}

  /** Returns a receiver of errors with which an operator's other threads cannot continue. */
  public static Consumer<Throwable> of(AbstractStreamOperator<?> operator) {
    Environment environment = operator.getContainingTask().getEnvironment();
    return environment::failExternally;
  }
}
