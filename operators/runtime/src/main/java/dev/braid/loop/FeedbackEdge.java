package dev.braid.loop;

import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * The last hop of the loop: it hands references over, inside one JVM, to a worker's mailbox.
 *
 * <p>Flink has no edge that leads back. The worker therefore opens this edge, and sends its number
 * around the loop in a greeting. The operator at the other end, which is in the same JVM, finds the
 * edge by this number, and puts what it receives here.
 *
 * <p>If no operator between the workers needs letters, those of other ranks in this JVM come here
 * straight from their senders, and Flink's edge carries only those of other processes. The two ways
 * never mix: a sender knows the numbers of all edges of its loop when it begins, and all of them
 * are open then.
 *
 * <p>Each edge has a number of its own, so nothing that is left of an earlier attempt can reach a
 * later one.
 */
final class FeedbackEdge implements AutoCloseable {

  /** Identifies this JVM, and this class loader within it. */
  static final String JVM = UUID.randomUUID().toString();

  private static final Map<Long, FeedbackEdge> OPEN = new ConcurrentHashMap<>();

  /** Envelopes that are delivered at a time. Other mails of the worker come between. */
  private static final int MOST_AT_ONCE = 64;

  private final long number = UUID.randomUUID().getLeastSignificantBits();
  private final MailboxExecutor mailbox;
  private final Queue<Envelope> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean mailPending = new AtomicBoolean();
  private volatile boolean closed;

  /** Empty until the worker begins. Used by the worker's thread. */
  private Optional<Consumer<Envelope>> receiver = Optional.empty();

  private FeedbackEdge(MailboxExecutor mailbox) {
    this.mailbox = mailbox;
  }

  /**
   * Opens the edge to a worker. Envelopes wait until {@link #begin}.
   *
   * @param mailbox the worker's mailbox
   */
  static FeedbackEdge open(MailboxExecutor mailbox) {
    FeedbackEdge edge = new FeedbackEdge(mailbox);
    OPEN.put(edge.number, edge);
    return edge;
  }

  /** Returns the number by which {@link #find} finds this edge. */
  long number() {
    return number;
  }

  /**
   * Delivers all envelopes from now on, and those that have waited.
   *
   * @param to receives every envelope, in the mailbox's thread
   */
  void begin(Consumer<Envelope> to) {
    receiver = Optional.of(to);
    if (!queue.isEmpty()) {
      notifyWorker();
    }
  }

  /**
   * Returns the edge that a greeting comes from. There is none if its worker has ended: that fails
   * the worker's task and, soon after, the reader's. The reader must not fail first, because the
   * job would report the failure that it learns of first as the cause.
   *
   * @throws SuppressRestartsException if the edge is in another JVM
   */
  static Optional<FeedbackEdge> find(Greeting greeting) {
    FeedbackEdge edge = OPEN.get(greeting.edge());
    if (edge != null || greeting.jvm().equals(JVM)) {
      return Optional.ofNullable(edge);
    }
    // The job graph is wrong, and a restart would not change that.
    throw new SuppressRestartsException(
        new IllegalStateException(
            String.format(
                "worker %d runs on %s and its links on %s: the two must share a slot. Give the "
                    + "worker, the links and the feedback operator the same parallelism, slot "
                    + "sharing group and co-location group.",
                greeting.to(), greeting.host(), host())));
  }

  /** Returns the edge of a number, if its worker is in this JVM and has not ended. */
  static Optional<FeedbackEdge> find(long number) {
    return Optional.ofNullable(OPEN.get(number));
  }

  /** Returns the host name and the process id, for people. */
  static String host() {
    String name = InetAddress.getLoopbackAddress().getHostName();
    try {
      name = InetAddress.getLocalHost().getHostName();
    } catch (java.net.UnknownHostException e) {
      // Without a host name, the process id still identifies the process.
    }
    return name + " (process " + ProcessHandle.current().pid() + ")";
  }

  /**
   * Hands an envelope over to the worker; does nothing if the worker has ended. Any thread may call
   * it.
   */
  void put(Envelope envelope) {
    if (!closed) {
      queue.add(envelope);
      notifyWorker();
    }
  }

  private void notifyWorker() {
    if (mailPending.compareAndSet(false, true)) {
      try {
        mailbox.execute(this::deliver, "envelopes for a worker");
      } catch (RejectedExecutionException e) {
        // The worker's mailbox is closed: its task is ending, and so will the caller's.
        close();
      }
    }
  }

  private void deliver() {
    // This must be first: an envelope that arrives from here on needs a mail of its own.
    mailPending.set(false);
    for (int i = 0; receiver.isPresent() && i < MOST_AT_ONCE; i++) {
      Envelope next = queue.poll();
      if (next == null) {
        return;
      }
      receiver.get().accept(next);
    }
    if (receiver.isPresent() && !queue.isEmpty()) {
      notifyWorker();
    }
  }

  @Override
  public void close() {
    closed = true;
    OPEN.remove(number);
    queue.clear();
  }
}
