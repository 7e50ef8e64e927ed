package dev.braid.loop;

import dev.braid.exchange.message.Message;
import dev.braid.loop.envelope.Envelope;
import dev.braid.loop.envelope.Envelope.Greeting;
import dev.braid.loop.envelope.Envelope.Letter;
import dev.braid.loop.envelope.Envelope.Waiting;
import dev.braid.loop.envelope.LoopKey;
import dev.braid.vector.FloatPool;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * The last hop of the loop: it hands references over, inside one JVM, from the task that receives a
 * rank's messages to the worker's mailbox.
 *
 * <p>It also spares letters of other ranks in this JVM the way through Flink's network stack. Such
 * a letter waits here, with a copy of its values unless they are {@linkplain
 * dev.braid.vector.Slice#isSteady() steady}, and only a notice crosses Flink's edge. At the end of
 * that edge, the letter takes the place of the notice. So the order of letters is that of the edge,
 * and all operators from there on receive letters.
 *
 * <p>Flink has no edge that leads back. The worker therefore opens this edge under its {@link
 * LoopKey} and sends the key around the loop, and the operator at the other end finds the edge by
 * the key. Only the worker adds and removes the entry, when it starts and ends. Nothing is left for
 * a later job or attempt to find.
 */
final class FeedbackEdge implements AutoCloseable {

  /** Identifies this JVM, and this class loader within it. */
  static final String JVM = UUID.randomUUID().toString();

  private static final Map<LoopKey, FeedbackEdge> OPEN = new ConcurrentHashMap<>();
  private static final Map<Long, FeedbackEdge> NUMBERED = new ConcurrentHashMap<>();
  private static final AtomicLong NUMBERS = new AtomicLong();

  /**
   * Maximum number of letters that wait: they are few if the receiver is as fast as its senders.
   */
  private static final int PLACES = 128;

  private final AtomicReferenceArray<Letter> waiting = new AtomicReferenceArray<>(PLACES);
  private final long number = NUMBERS.incrementAndGet();
  private final LoopKey key;
  private final MailboxExecutor mailbox;
  private final Consumer<Envelope> receiver;
  private final Queue<Envelope> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean mailPending = new AtomicBoolean();

  private FeedbackEdge(LoopKey key, MailboxExecutor mailbox, Consumer<Envelope> receiver) {
    this.key = key;
    this.mailbox = mailbox;
    this.receiver = receiver;
  }

  /**
   * Opens the edge to a worker.
   *
   * @param mailbox the worker's mailbox
   * @param receiver receives every envelope, in the mailbox's thread
   */
  static FeedbackEdge open(LoopKey key, MailboxExecutor mailbox, Consumer<Envelope> receiver) {
    FeedbackEdge edge = new FeedbackEdge(key, mailbox, receiver);
    if (OPEN.putIfAbsent(key, edge) != null) {
      throw new IllegalStateException(key + " already has a feedback edge");
    }
    NUMBERED.put(edge.number, edge);
    return edge;
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

  /**
   * Keeps a letter for this edge's worker until {@link #take} is called. Any number of threads may
   * call it.
   *
   * @param pool lends the memory for a copy of the values, if one is needed
   * @return the notice of the letter; empty if too many letters wait
   */
  Optional<Envelope> leave(Letter letter, FloatPool pool) {
    Message message = letter.message();
    Message kept = message.withPayload(message.payload().withinProcess(pool::lend));
    Letter left = new Letter(letter.incarnation(), kept);
    for (int i = 0; i < PLACES; i++) {
      // Senders begin at different places.
      int place = (message.from() + i) % PLACES;
      if (waiting.compareAndSet(place, null, left)) {
        return Optional.of(new Waiting(message.to(), number, place));
      }
    }
    kept.release();
    return Optional.empty();
  }

  /**
   * Returns the letter that a notice announces, and frees its place; returns the notice if the
   * worker has ended.
   */
  static Envelope take(Waiting notice) {
    FeedbackEdge edge = NUMBERED.get(notice.edge());
    Letter letter = edge == null ? null : edge.waiting.getAndSet(notice.place(), null);
    return letter == null ? notice : letter;
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

  /** Hands an envelope over to the worker. Called by the thread at the other end. */
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
    for (Envelope next = queue.poll(); next != null; next = queue.poll()) {
      receiver.accept(next);
    }
  }

  @Override
  public void close() {
    OPEN.remove(key, this);
    NUMBERED.remove(number);
    queue.clear();
  }
}
