package dev.braid.exchange.membership;

import dev.braid.exchange.Port;
import dev.braid.exchange.message.Message;
import dev.braid.exchange.message.Presence;
import dev.braid.exchange.message.Presence.Hello;
import dev.braid.exchange.message.Presence.Knock;
import dev.braid.exchange.message.Presence.Knocked;
import dev.braid.exchange.participation.View;
import dev.braid.exchange.participation.ViewMessage.Call;
import dev.braid.exchange.participation.ViewMessage.Heard;
import dev.braid.exchange.participation.ViewMessage.Here;
import dev.braid.exchange.participation.ViewMessage.Listen;
import dev.braid.exchange.participation.ViewMessage.Reachable;
import dev.braid.exchange.participation.ViewMessage.Silent;
import dev.braid.exchange.participation.ViewMessage.ToRank;
import dev.braid.exchange.transport.Deadlines;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Finds out for the arbiter which neighbours a rank hears; each direction of a link counts
 * separately. While the rank is left out, it also finds out whether a link to a member works again
 * in both directions.
 *
 * <p>It repeats its hellos, because links can lose messages. It listens for several round-trip
 * times, because a slow link is not a cut one.
 *
 * <p>A rank that {@linkplain #watch watches} also says hello without a request, and reports a
 * neighbour that it has not heard for half a second; then again after twice the time, and so on.
 */
final class Lookout {

  private static final int HELLOS = 12;
  private static final int LISTEN_TIMEOUTS = 4;
  private static final long MIN_LISTEN_NANOS = 600_000_000;
  private static final long MIN_KNOCK_NANOS = 100_000_000;
  private static final long MAX_KNOCK_NANOS = 1_000_000_000;
  private static final long WATCH_NANOS = 200_000_000;
  private static final long MIN_SILENCE_NANOS = 500_000_000;
  private static final long MAX_SILENCE_NANOS = 8_000_000_000L;

  private final int rank;
  private final int[] neighbours;
  private final Port port;
  private final LongSupplier round;

  /** By neighbour's index: the latest poll in which the neighbour was heard. */
  private final long[] heardIn;

  private View view;

  private long poll;
  private boolean answered = true;
  private int hellosLeft;
  private long helloIntervalNanos;
  private long nextHelloNanos = Deadlines.NEVER;

  private long knockIntervalNanos;
  private long nextKnockNanos = Deadlines.NEVER;

  private long nextWatchNanos = Deadlines.NEVER;

  /** By neighbour's index: when the neighbour was last heard or reported. */
  private final long[] heardNanos;

  /** By neighbour's index: time after which the neighbour is reported, if it is not heard. */
  private final long[] silenceNanos;

  /**
   * Creates a lookout without a pending request.
   *
   * @param round supplies the number of rounds that this rank has completed. Every message has it
   *     in its header, because a rank that is left out has no other source for it; no answer
   *     depends on it
   */
  Lookout(int rank, int[] neighbours, View view, Port port, LongSupplier round) {
    this.rank = rank;
    this.neighbours = neighbours.clone();
    this.view = view;
    this.port = port;
    this.round = round;
    this.heardIn = new long[neighbours.length];
    this.heardNanos = new long[neighbours.length];
    this.silenceNanos = new long[neighbours.length];
  }

  /**
   * Answers a call, or begins to listen on request.
   *
   * @param slowestTimeoutNanos time after which an acknowledgement is overdue on the slowest link,
   *     in nanoseconds
   */
  void handle(ToRank message, long slowestTimeoutNanos) {
    if (message instanceof Call call) {
      port.views().tell(new Here(call.poll()));
    } else if (message instanceof Listen request) {
      listen(request, slowestTimeoutNanos);
    }
  }

  /** Sends hellos to all neighbours. The answer follows when all are heard or the time is over. */
  private void listen(Listen request, long slowestTimeoutNanos) {
    poll = request.poll();
    answered = false;
    long nanos = Math.max(MIN_LISTEN_NANOS, LISTEN_TIMEOUTS * slowestTimeoutNanos);
    helloIntervalNanos = nanos / HELLOS;
    hellosLeft = HELLOS;
    sayHello();
    answerIfAllHeard();
  }

  /** Begins or ends to watch the neighbours. */
  void watch(boolean watches) {
    nextWatchNanos = watches ? port.nowNanos() + WATCH_NANOS : Deadlines.NEVER;
    expectAll();
  }

  private void expectAll() {
    Arrays.fill(heardNanos, port.nowNanos());
    Arrays.fill(silenceNanos, MIN_SILENCE_NANOS);
  }

  /** Enters a view. From now on this rank sends knocks to members if it is left out. */
  void enter(View entered) {
    view = entered;
    expectAll();
    boolean isOut = !view.contains(rank);
    knockIntervalNanos = MIN_KNOCK_NANOS;
    nextKnockNanos = isOut ? port.nowNanos() + knockIntervalNanos : Deadlines.NEVER;
  }

  /** Processes a message for the lookout; returns false for any other message. */
  boolean receive(Message message) {
    if (message.body() instanceof Hello hello) {
      heard(message.from(), hello.poll());
    } else if (message.body() instanceof Knock knock) {
      if (knock.view() == view.number() && view.contains(rank)) {
        send(message.from(), new Knocked(view.number()));
      }
    } else if (message.body() instanceof Knocked knocked) {
      if (knocked.view() == view.number() && !view.contains(rank)) {
        port.views().tell(new Reachable(message.from()));
      }
    } else {
      return false;
    }
    return true;
  }

  private void heard(int neighbour, long inPoll) {
    int index = Arrays.binarySearch(neighbours, neighbour);
    heardIn[index] = Math.max(heardIn[index], inPoll);
    heardNanos[index] = port.nowNanos();
    silenceNanos[index] = MIN_SILENCE_NANOS;
    answerIfAllHeard();
  }

  void deadline(long nowNanos) {
    if (nextHelloNanos <= nowNanos) {
      if (hellosLeft > 0) {
        sayHello();
      } else {
        nextHelloNanos = Deadlines.NEVER;
        answer();
      }
    }
    if (nextKnockNanos <= nowNanos) {
      knock(nowNanos);
    }
    if (nextWatchNanos <= nowNanos) {
      lookAround(nowNanos);
    }
  }

  long deadlineNanos() {
    return Math.min(nextWatchNanos, Math.min(nextHelloNanos, nextKnockNanos));
  }

  private void sayHello() {
    hellosLeft--;
    nextHelloNanos = port.nowNanos() + helloIntervalNanos;
    for (int neighbour : neighbours) {
      send(neighbour, new Hello(poll));
    }
  }

  private void lookAround(long nowNanos) {
    // Hellos that have arrived during a pause are received after it.
    boolean wasPaused = nowNanos - nextWatchNanos > WATCH_NANOS;
    nextWatchNanos = nowNanos + WATCH_NANOS;
    if (wasPaused) {
      expectAll();
    }
    for (int i = 0; i < neighbours.length; i++) {
      if (view.contains(rank) && view.contains(neighbours[i])) {
        send(neighbours[i], new Hello(poll));
        reportIfSilent(i, nowNanos);
      }
    }
  }

  private void reportIfSilent(int index, long nowNanos) {
    if (nowNanos - heardNanos[index] >= silenceNanos[index]) {
      heardNanos[index] = nowNanos;
      silenceNanos[index] = Math.min(MAX_SILENCE_NANOS, 2 * silenceNanos[index]);
      port.views().tell(new Silent(neighbours[index]));
    }
  }

  private void knock(long nowNanos) {
    nextKnockNanos = nowNanos + knockIntervalNanos;
    knockIntervalNanos = Math.min(MAX_KNOCK_NANOS, 2 * knockIntervalNanos);
    for (int neighbour : neighbours) {
      if (view.contains(neighbour)) {
        send(neighbour, new Knock(view.number()));
      }
    }
  }

  private void answerIfAllHeard() {
    if (Arrays.stream(heardIn).allMatch(in -> in == poll)) {
      answer();
    }
  }

  private void answer() {
    if (!answered) {
      answered = true;
      port.views().tell(new Heard(poll, heardNow()));
    }
  }

  private List<Integer> heardNow() {
    return IntStream.range(0, neighbours.length)
        .filter(i -> heardIn[i] == poll)
        .mapToObj(i -> neighbours[i])
        .toList();
  }

  private void send(int to, Presence body) {
    port.send(new Message(rank, to, round.getAsLong(), body));
  }
}
