package dev.braid.exchange.transport;

import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Route;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/**
 * What one rank knows of another that it exchanges messages with: what is outstanding and what
 * waits, what has arrived, which way messages go, and when something is overdue.
 */
final class Peer {

  /** A message on its way; its values are kept until it is acknowledged, and then released. */
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

  /** Without an answer for so long, and for several round trips, a rank is silent. */
  private static final long MIN_SILENCE_NANOS = 1_000_000_000;

  private static final int SILENCE_TIMEOUTS = 4;

  private static final long MAX_INTERVAL_NANOS = 1_000_000_000;
  private static final int MAX_DOUBLINGS = 20;

  private final int rank;
  private final Window window;
  private final RoundTrip roundTrip = new RoundTrip();
  private final Deque<Outgoing> outstanding = new ArrayDeque<>();
  private final Deque<Message> waiting = new ArrayDeque<>();

  /** What is known to have arrived there, and has not been taken. */
  private final Deque<Message> arrived = new ArrayDeque<>();

  private Arrivals arrivals = new Arrivals();
  private long arrivedBytes;
  private int arrivedMessages;
  private long ackDueNanos = Deadlines.NEVER;

  private long sent;
  private long outstandingBytes;
  private long overdueNanos = Deadlines.NEVER;
  private int timeouts;

  /** Since when something is outstanding, or was asked, and nothing was answered. */
  private long unansweredSinceNanos = Deadlines.NEVER;

  /** Probes and searches are numbered together. */
  private long questions;

  /** When the latest was asked. */
  private long askedNanos;

  private long answered;

  private Route route = Route.DIRECT;
  private int routeCost;

  /** Bit i: whether the question i before the latest went over the link itself. */
  private long directQuestions;

  private long directProbeNanos = Deadlines.NEVER;
  private int directProbes;

  /** The latest of the peer's searches that has told this rank a way to the peer. */
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

  /** Whether all that is for the peer has been sent, over the link itself. */
  boolean isSentDirectly() {
    return route.isDirect() && waiting.isEmpty();
  }

  void enqueue(Message message) {
    waiting.add(message);
  }

  /** The next message that may be sent: at most a window's bytes are outstanding. */
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
   * The peer says what has arrived.
   *
   * @param afterSearch whether it took a search to hear it, which is no round trip of the link
   * @return whether that is news
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
        // Also where a question was asked meanwhile: so time-outs learn that they come too early.
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

  /** How many bytes of values are under way. */
  long outstandingBytes() {
    return outstandingBytes;
  }

  /** The next of the messages that have arrived there, each once; its values are released. */
  Optional<Message> nextArrived() {
    return Optional.ofNullable(arrived.poll());
  }

  private void heard(long nowNanos) {
    timeouts = 0;
    boolean isWaiting = !outstanding.isEmpty();
    unansweredSinceNanos = isWaiting ? nowNanos : Deadlines.NEVER;
    overdueNanos = isWaiting ? nowNanos + roundTrip.timeoutNanos() : Deadlines.NEVER;
  }

  /** What was sent before a question that is now answered, and has not arrived: it is lost. */
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
   * The number of a new question, asked because an acknowledgement is overdue, or whether the peer
   * is there at all.
   */
  long askAgain(long nowNanos) {
    timeouts++;
    unansweredSinceNanos = Math.min(unansweredSinceNanos, nowNanos);
    // The first question is answered at once, while acknowledgements wait for company.
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

  /** How many questions have gone unanswered. */
  int timeouts() {
    return timeouts;
  }

  /** Whether nothing has been answered for long; then not again before as long. */
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

  /** A question was answered; false if a later one was before. */
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

  /** A search has found this way to the peer. */
  void take(Route found, int cost, long nowNanos) {
    boolean direct = found.size() == 2;
    routeCost = cost;
    route = direct ? Route.DIRECT : found;
    directProbes = 0;
    directProbeNanos = direct ? Deadlines.NEVER : nowNanos + directProbeInterval();
  }

  /** The first rank on the way to the peer from this one. */
  int nextHop(int from) {
    return route.isDirect() ? rank : route.next(from);
  }

  /** Whether another answer to the last search brought a cheaper way than is in use. */
  boolean isCheaper(long search, int cost) {
    return search == answered && !route.isDirect() && cost < routeCost;
  }

  /** Whether a way that the peer's search found is newer or cheaper than the one that is known. */
  boolean isBetter(long search, int cost) {
    boolean better =
        search > toldBySearch || (search == toldBySearch && !route.isDirect() && cost < routeCost);
    toldBySearch = Math.max(toldBySearch, search);
    return better;
  }

  /** Whether it is time to try the link itself again, which is not in use. */
  boolean isDirectProbeDue(long nowNanos) {
    return directProbeNanos <= nowNanos;
  }

  long probeDirectly(long nowNanos) {
    directProbes++;
    directProbeNanos = nowNanos + directProbeInterval();
    return nextQuestion(1, nowNanos);
  }

  /**
   * Whether an answer is to a question over the link itself, which then works; be it to an earlier
   * one, as the answer may take a way around that is longer than from one question to the next.
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
   * Notes an arrival; false if the message was here before. An acknowledgement is due when as much
   * has come as the window says, and at once where something is missing or comes twice, or the
   * sender has nothing behind it.
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

  /** An acknowledgement goes out, by itself or with a message. */
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
   * Forgets all messages, and numbers them from the beginning; ways and round trips stay. So does
   * the doubt about a peer that had not answered: where checkpoints come sooner than time-outs, it
   * would never be found to be cut off.
   *
   * @param pausedNanos for how long nothing was sent, and no answer can have been missed
   */
  void restartAfter(long pausedNanos) {
    forgetMessages();
    if (unansweredSinceNanos != Deadlines.NEVER) {
      unansweredSinceNanos += pausedNanos;
    }
  }

  /** Forgets all messages and doubts. */
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
