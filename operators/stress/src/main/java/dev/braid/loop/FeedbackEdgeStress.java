package dev.braid.loop;

import dev.braid.loop.envelope.Envelope.PathProbe;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
 * Envelopes of a sender reach the worker in order, each once, although a mail is sent only when
 * none is pending, and the worker begins meanwhile: no envelope stays behind without a mail that
 * would fetch it.
 */
@JCStressTest
@Outcome(id = "12, 3", expect = Expect.ACCEPTABLE, desc = "all, a sender's in their order")
@Outcome(expect = Expect.FORBIDDEN, desc = "lost, twice, or out of order")
@State
public class FeedbackEdgeStress {

  private final Queue<ThrowingRunnable<? extends Exception>> mails = new ConcurrentLinkedQueue<>();
  private final StringBuilder received = new StringBuilder();
  private final FeedbackEdge edge = FeedbackEdge.open(new Mails(mails));

  /** Puts envelopes, like the task at the other end. */
  @Actor
  public void links() {
    edge.put(new PathProbe(0, 0, 1));
    edge.put(new PathProbe(0, 0, 2));
  }

  /** Puts an envelope, like another sender, and begins and runs mails, like the worker's task. */
  @Actor
  public void worker() {
    edge.put(new PathProbe(1, 0, 3));
    runMails();
    edge.begin(envelope -> received.append(((PathProbe) envelope).checkpoint()));
    runMails();
  }

  /** Runs the remaining mails, and reads the result. */
  @Arbiter
  public void later(LL_Result result) {
    runMails();
    edge.close();
    String all = received.toString();
    result.r1 = all.replace("3", "");
    result.r2 = all.length();
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
