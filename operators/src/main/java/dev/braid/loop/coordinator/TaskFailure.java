package dev.braid.loop.coordinator;

import java.util.function.Consumer;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;

/**
 * Fails a task from a thread of its operator's own, which cannot throw into it. For what is no mail
 * either: a mail needs memory, and a task that reads its mailbox.
 */
public final class TaskFailure {

  private TaskFailure() {}

  /** What an operator's other threads tell of what they cannot go on from. */
  public static Consumer<Throwable> of(AbstractStreamOperator<?> operator) {
    Environment environment = operator.getContainingTask().getEnvironment();
    return environment::failExternally;
  }
}
