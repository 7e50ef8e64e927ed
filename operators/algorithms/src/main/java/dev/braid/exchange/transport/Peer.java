package dev.braid.exchange.transport;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/**
 * One rank's knowledge of another rank that it exchanges messages with: outstanding and waiting
 * messages, arrivals, the route in use, and deadlines.
 */
final class Peer {

  /** A message in flight. Its values are kept until it is acknowledged, and then released. */
  static final class Outgoing {
    private final Message message;
    private final long number;
    private final long bytes;
    private long sentNanos;
    private long question;
    private boolean resent;

    Outgoing(Message message, long number, long bytes) {
      this.message = message;
      this.number = number;
      this.bytes = bytes;
    }

    Message message() {
      return message;
    }

    long number() {
      return number;
    }

    long bytes() {
      return bytes;
    }

    boolean isResent() {
      return resent;
    }
  }

  /**
   * Minimum time without an answer before a rank is silent; also at least {@link #SILENCE_TIMEOUTS}
   * time-outs.
   */
  private static final long MIN_SILENCE_NANOS = 1_000_000_000;

  private static final int SILENCE_TIMEOUTS = 4;

  private static final long MAX_INTERVAL_NANOS = 1_000_000_000;
  private static final int MAX_DOUBLINGS = 20;

  private final int rank;
  private final Window window;
  private final RoundTrip roundTrip = new RoundTrip();
  private final Deque<Outgoing> outstanding = new ArrayDeque<>();
  private final Deque<Message> waiting = new ArrayDeque<>();

  /** Messages known to have arrived at the peer that {@link #nextArrived} has not returned yet. */
  private final Deque<Message> arrived = new ArrayDeque<>();

  private Arrivals arrivals = new Arrivals();
  private long arrivedBytes;
  private int arrivedMessages;
  private long ackDueNanos = Deadlines.NEVER;

  private long sent;
  private long outstandingBytes;
  private long overdueNanos = Deadlines.NEVER;
  private int timeouts;

  /** Time since which something is outstanding or was asked, and nothing was answered. */
  private long unansweredSinceNanos = Deadlines.NEVER;

  /** Number of the latest question. Probes and searches are numbered together. */
  private long questions;

  /** Time of the latest question. */
  private long askedNanos;

  private long answered;

  private Route route = Route.DIRECT;
  private int routeCost;

  /**
   * Bits for the latest 64 questions: bit i is set if the question i before the latest went over
   * the link itself.
   */
  private long directQuestions;

  private long directProbeNanos = Deadlines.NEVER;
  private int directProbes;

  /** Number of the peer's latest search from which this rank has learned a route to the peer. */
  private long toldBySearch;

  Peer(int rank, Window window) {
    this.rank = rank;
    this.window = window;
  }

  int rank() {
    return rank;
  }

  Route route() {
    return route;
  }

  // ---- outgoing --------------------------------------------------------------------------------

  /** Returns whether all messages for the peer have been sent, over the link itself. */
  boolean isSentDirectly() {
    return route.isDirect() && waiting.isEmpty();
  }

  void enqueue(Message message) {
    waiting.add(message);
  }

  /**
   * Returns the next message that may be sent, or empty. At most a window's bytes and {@value
   * Arrivals#SPAN} numbers are outstanding, except that one message may always be.
   */
  Optional<Outgoing> nextToSend(long nowNanos) {
    if (waiting.isEmpty()) {
      return Optional.empty();
    }
    long bytes = waiting.element().payload().bytes();
    boolean fits =
        outstanding.isEmpty()
            || (outstandingBytes + bytes <= window.bytes()
                && sent + 1 < outstanding.element().number + Arrivals.SPAN);
    if (!fits) {
      return Optional.empty();
    }
    if (outstanding.isEmpty()) {
      unansweredSinceNanos = Math.min(unansweredSinceNanos, nowNanos);
      overdueNanos = Math.max(nowNanos, unansweredSinceNanos + roundTrip.timeoutNanos());
    }
    Outgoing next = new Outgoing(waiting.remove(), ++sent, bytes);
    next.sentNanos = nowNanos;
    next.question = questions;
    outstanding.add(next);
    outstandingBytes += bytes;
    return Optional.of(next);
  }

  /**
   * Processes the peer's report of what has arrived.
   *
   * @param afterSearch whether the report is the answer to a search, and so does not measure a
   *     round trip of the link
   * @return whether anything has newly arrived
   */
  boolean acknowledged(long contiguous, long beyond, boolean afterSearch, long nowNanos) {
    boolean news = false;
    for (Iterator<Outgoing> i = outstanding.iterator(); i.hasNext(); ) {
      Outgoing message = i.next();
      if (message.number > contiguous && beyond == 0) {
        break;
      }
      if (Arrivals.has(contiguous, beyond, message.number)) {
        i.remove();
        message.message.release();
        arrived.add(message.message);
        outstandingBytes -= message.bytes;
        news = true;
        // Messages are sampled even if a question was asked meanwhile, so that a time-out that came
        // too early grows.
        if (!message.resent && !afterSearch) {
          roundTrip.sample(nowNanos - message.sentNanos);
        }
      }
    }
    if (news) {
      heard(nowNanos);
    }
    return news;
  }

  /** Returns the bytes of values that are outstanding. */
  long outstandingBytes() {
    return outstandingBytes;
  }

  /**
   * Returns the next message that has arrived at the peer, each once; empty if there is none. Its
   * values are released.
   */
  Optional<Message> nextArrived() {
    return Optional.ofNullable(arrived.poll());
  }

  private void heard(long nowNanos) {
    timeouts = 0;
    boolean isWaiting = !outstanding.isEmpty();
    unansweredSinceNanos = isWaiting ? nowNanos : Deadlines.NEVER;
    overdueNanos = isWaiting ? nowNanos + roundTrip.timeoutNanos() : Deadlines.NEVER;
  }

  /**
   * Returns the lost messages: those sent before a question that is now answered, which have not
   * arrived.
   */
  Deque<Outgoing> lostBefore(long question, long nowNanos) {
    Deque<Outgoing> lost = new ArrayDeque<>();
    for (Outgoing message : outstanding) {
      if (message.question < question) {
        message.resent = true;
        message.question = questions;
        message.sentNanos = nowNanos;
        lost.add(message);
      }
    }
    return lost;
  }

  // ---- questions -------------------------------------------------------------------------------

  boolean isOverdue(long nowNanos) {
    return overdueNanos <= nowNanos;
  }

  /**
   * Returns the number of a new question. It is asked because an acknowledgement is overdue, or to
   * find out whether the peer is present at all.
   */
  long askAgain(long nowNanos) {
    timeouts++;
    unansweredSinceNanos = Math.min(unansweredSinceNanos, nowNanos);
    // The peer answers a question at once, while acknowledgements wait to be sent with a message.
    // So the first interval is short.
    long interval =
        timeouts == 1
            ? roundTrip.timeoutNanos() / 2
            : roundTrip.timeoutNanos() << Math.min(MAX_DOUBLINGS, timeouts - 2);
    long max = Math.max(MAX_INTERVAL_NANOS, roundTrip.timeoutNanos());
    overdueNanos = nowNanos + (interval <= 0 ? max : Math.min(max, interval));
    return nextQuestion(0, nowNanos);
  }

  private long nextQuestion(long isDirect, long nowNanos) {
    directQuestions = directQuestions << 1 | isDirect;
    askedNanos = nowNanos;
    return ++questions;
  }

  /** Returns how many questions have gone unanswered. */
  int timeouts() {
    return timeouts;
  }

  /**
   * Returns whether the peer is silent, because it has answered nothing for long. After true,
   * returns false until as much time has passed again.
   */
  boolean isSilent(long nowNanos) {
    long bound = Math.max(MIN_SILENCE_NANOS, SILENCE_TIMEOUTS * roundTrip.timeoutNanos());
    boolean isSilent = nowNanos - unansweredSinceNanos >= bound;
    if (isSilent) {
      unansweredSinceNanos = nowNanos;
    }
    return isSilent;
  }

  long timeoutNanos() {
    return roundTrip.timeoutNanos();
  }

  /** Processes the answer to a question. Returns false if a later question was answered before. */
  boolean answered(long question, long nowNanos) {
    if (question <= answered || question > questions) {
      return false;
    }
    answered = question;
    if (question == questions && timeouts > 0) {
      roundTrip.sample(nowNanos - askedNanos);
    }
    heard(nowNanos);
    return true;
  }

  // ---- routes ----------------------------------------------------------------------------------

  /** Uses a route to the peer that a search has found. */
  void take(Route found, int cost, long nowNanos) {
    boolean direct = found.size() == 2;
    routeCost = cost;
    route = direct ? Route.DIRECT : found;
    directProbes = 0;
    directProbeNanos = direct ? Deadlines.NEVER : nowNanos + directProbeInterval();
  }

  /** Returns the first rank after this one on the route to the peer. */
  int nextHop(int from) {
    return route.isDirect() ? rank : route.next(from);
  }

  /**
   * Returns whether another answer to the last search has found a cheaper route than the one in
   * use.
   */
  boolean isCheaper(long search, int cost) {
    return search == answered && !route.isDirect() && cost < routeCost;
  }

  /** Returns whether a route found by the peer's search is newer or cheaper than the known one. */
  boolean isBetter(long search, int cost) {
    boolean better =
        search > toldBySearch || (search == toldBySearch && !route.isDirect() && cost < routeCost);
    toldBySearch = Math.max(toldBySearch, search);
    return better;
  }

  /** Returns whether the link itself, which is not in use, must be probed again. */
  boolean isDirectProbeDue(long nowNanos) {
    return directProbeNanos <= nowNanos;
  }

  long probeDirectly(long nowNanos) {
    directProbes++;
    directProbeNanos = nowNanos + directProbeInterval();
    return nextQuestion(1, nowNanos);
  }

  /**
   * Returns whether an answer belongs to a question over the link itself, which then works. The
   * question need not be the latest: the answer may take another route, for longer than the
   * interval between questions.
   */
  boolean isAnswerToDirectProbe(long question) {
    long ago = questions - question;
    boolean isKnown = question > 0 && ago >= 0 && ago < Long.SIZE;
    return !route.isDirect() && isKnown && (directQuestions >>> ago & 1) == 1;
  }

  private long directProbeInterval() {
    long interval = (2 * roundTrip.timeoutNanos()) << Math.min(MAX_DOUBLINGS, directProbes);
    return interval <= 0 ? MAX_INTERVAL_NANOS : Math.min(MAX_INTERVAL_NANOS, interval);
  }

  // ---- incoming --------------------------------------------------------------------------------

  /**
   * Notes an arrival, and returns false if the message had arrived before. An acknowledgement is
   * due at once if as much has arrived as the window says, if a message is missing or has arrived
   * twice, or if the message asks for one. Otherwise it is due after the window's delay.
   */
  boolean arrived(Message message, long nowNanos) {
    boolean isNew = arrivals.accept(message.transit().number());
    arrivedBytes += message.payload().bytes();
    arrivedMessages++;
    boolean isEnough = arrivedBytes >= window.ackBytes() || arrivedMessages >= window.ackMessages();
    boolean atOnce = !isNew || arrivals.beyond() != 0 || isEnough || message.transit().isLast();
    long due = atOnce ? nowNanos : nowNanos + window.ackDelayNanos();
    ackDueNanos = Math.min(ackDueNanos, due);
    return isNew;
  }

  Arrivals arrivals() {
    return arrivals;
  }

  boolean isAckDue(long nowNanos) {
    return ackDueNanos <= nowNanos;
  }

  /** Notes that an acknowledgement is sent, alone or with a message. */
  void acknowledging() {
    ackDueNanos = Deadlines.NEVER;
    arrivedBytes = 0;
    arrivedMessages = 0;
  }

  // ----------------------------------------------------------------------------------------------

  long deadlineNanos() {
    return Math.min(Math.min(overdueNanos, ackDueNanos), directProbeNanos);
  }

  /**
   * Forgets all messages, and numbers them from the beginning. Routes and round trips are kept. So
   * is the time since which a peer has not answered: where checkpoints are more frequent than
   * time-outs, an unreachable peer would otherwise never be found silent.
   *
   * @param pausedNanos time since the rollback, in nanoseconds, which does not count as time
   *     without an answer
   */
  void restartAfter(long pausedNanos) {
    forgetMessages();
    if (unansweredSinceNanos != Deadlines.NEVER) {
      unansweredSinceNanos += pausedNanos;
    }
  }

  /** Forgets all messages, and unanswered questions. */
  void restart() {
    forgetMessages();
    timeouts = 0;
    unansweredSinceNanos = Deadlines.NEVER;
  }

  private void forgetMessages() {
    outstanding.forEach(outgoing -> outgoing.message.release());
    waiting.forEach(Message::release);
    outstanding.clear();
    waiting.clear();
    arrived.clear();
    arrivals = new Arrivals();
    arrivedBytes = 0;
    arrivedMessages = 0;
    ackDueNanos = Deadlines.NEVER;
    sent = 0;
    outstandingBytes = 0;
    overdueNanos = Deadlines.NEVER;
  }
}
