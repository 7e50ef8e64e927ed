package dev.braid.loop;

import dev.braid.loop.envelope.Envelope.PathProbe;
import dev.braid.loop.envelope.LoopKey;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.function.ThrowingRunnable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Envelopes reach the worker in order, each once, although a mail is sent only when none is
 * pending: no envelope stays behind without a mail that would fetch it.
 */
@JCStressTest
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "both, in their order")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, twice, or out of order")
@State
public class FeedbackEdgeStress {

  private static final AtomicInteger EDGES = new AtomicInteger();

  private final Queue<ThrowingRunnable<? extends Exception>> mails = new ConcurrentLinkedQueue<>();
  private final LoopKey key = new LoopKey("stress", "loop", EDGES.incrementAndGet(), 0);
  private final StringBuilder received = new StringBuilder();
  private final FeedbackEdge edge =
      FeedbackEdge.open(
          key, new Mails(mails), envelope -> received.append(((PathProbe) envelope).checkpoint()));

  /** Puts envelopes, like the task at the other end. */
  @Actor
  public void links() {
    edge.put(new PathProbe(0, 0, 1));
    edge.put(new PathProbe(0, 0, 2));
  }

  /** Runs mails, like the worker's mailbox. */
  @Actor
  public void worker() {
    runMails();
    runMails();
  }

  /** Runs the remaining mails, and reads the result. */
  @Arbiter
  public void later(LL_Result result) {
    runMails();
    edge.close();
    result.r1 = received.length() > 0 ? received.charAt(0) : "none";
    result.r2 = received.length() > 1 ? received.substring(1) : "none";
  }

  private void runMails() {
    for (var mail = mails.poll(); mail != null; mail = mails.poll()) {
      try {
        mail.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Keeps mails until they are run. */
  private record Mails(Queue<ThrowingRunnable<? extends Exception>> mails)
      implements MailboxExecutor {

    @Override
    public void execute(
        MailOptions options,
        ThrowingRunnable<? extends Exception> mail,
        String description,
        Object... arguments) {
      mails.add(mail);
    }

    @Override
    public void yield() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean tryYield() {
      return false;
    }

    @Override
    public boolean shouldInterrupt() {
      return false;
    }
  }
}
