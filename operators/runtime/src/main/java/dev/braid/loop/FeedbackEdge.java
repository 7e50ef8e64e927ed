package dev.braid.loop;

import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.LoopKey;
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
 * The last hop of the loop: it hands references over, inside one JVM, from the task that receives a
 * rank's messages to the worker's mailbox.
 *
 * <p>If no operator between the workers needs letters, those of other ranks in this JVM come here
 * straight from their senders, and Flink's edge carries only those of other processes. The two
 * never mix for one sender: all edges of a loop are open before any member begins, so a sender
 * finds this edge for its first letter or for none.
 *
 * <p>Flink has no edge that leads back. The worker therefore opens this edge under its {@link
 * LoopKey} and sends the key around the loop, and the operator at the other end finds the edge by
 * the key. Only the worker adds and removes the entry, when its task opens and ends. Nothing is
 * left for a later job or attempt to find.
 */
final class FeedbackEdge implements AutoCloseable {

  /** Identifies this JVM, and this class loader within it. */
  static final String JVM = UUID.randomUUID().toString();

  private static final Map<LoopKey, FeedbackEdge> OPEN = new ConcurrentHashMap<>();

  private final LoopKey key;
  private final MailboxExecutor mailbox;
  private final Queue<Envelope> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean mailPending = new AtomicBoolean();

  /** Empty until the worker begins. Used by the worker's thread. */
  private Optional<Consumer<Envelope>> receiver = Optional.empty();

  private FeedbackEdge(LoopKey key, MailboxExecutor mailbox) {
    this.key = key;
    this.mailbox = mailbox;
  }

  /**
   * Opens the edge to a worker. Envelopes wait until {@link #begin}.
   *
   * @param mailbox the worker's mailbox
   */
  static FeedbackEdge open(LoopKey key, MailboxExecutor mailbox) {
    FeedbackEdge edge = new FeedbackEdge(key, mailbox);
    if (OPEN.putIfAbsent(key, edge) != null) {
      throw new IllegalStateException(key + " already has a feedback edge");
    }
    return edge;
  }

  /**
   * Delivers all envelopes from now on, and those that have waited.
   *
   * @param to receives every envelope, in the mailbox's thread
   */
  void begin(Consumer<Envelope> to) {
    receiver = Optional.of(to);
    mailbox.execute(this::deliver, "first envelopes for %s", key);
  }

  /**
   * Returns the edge that a greeting comes from. There is none if its worker has ended: that fails
   * the worker's task and, soon after, the reader's. The reader must not fail first, because the
   * job would report the failure that it learns of first as the cause.
   *
   * @throws SuppressRestartsException if the edge is in another JVM
   */
  static Optional<FeedbackEdge> find(Greeting greeting) {
    FeedbackEdge edge = OPEN.get(greeting.worker());
    if (edge != null || greeting.jvm().equals(JVM)) {
      return Optional.ofNullable(edge);
    }
    // The job graph is wrong, and a restart would not change that.
    throw new SuppressRestartsException(
        new IllegalStateException(
            String.format(
                "worker %d runs on %s and its links on %s: the two must share a slot. Give the "
                    + "worker, the links and the feedback operator the same parallelism, slot "
                    + "sharing group and co-location group (Loop.close does).",
                greeting.worker().subtask(), greeting.host(), host())));
  }

  /** Returns the edge to a worker, if the worker is in this JVM and has opened it. */
  static Optional<FeedbackEdge> find(LoopKey key) {
    return Optional.ofNullable(OPEN.get(key));
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

  /** Hands an envelope over to the worker. Any thread may call it. */
  void put(Envelope envelope) {
    queue.add(envelope);
    if (mailPending.compareAndSet(false, true)) {
      try {
        mailbox.execute(this::deliver, "envelopes for %s", key);
      } catch (RejectedExecutionException e) {
        // The worker's mailbox is closed: its task is ending, and so will this one.
        queue.clear();
      }
    }
  }

  private void deliver() {
    // This must be first: an envelope that arrives from here on needs a mail of its own.
    mailPending.set(false);
    if (receiver.isEmpty()) {
      return;
    }
    for (Envelope next = queue.poll(); next != null; next = queue.poll()) {
      receiver.get().accept(next);
    }
  }

  @Override
  public void close() {
    OPEN.remove(key, this);
    queue.clear();
  }
}
