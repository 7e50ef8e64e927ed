package dev.braid.exchange.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how many messages may be in flight, depending on the times of answers. */
class FlightTest {

  private static final long MILLIS = 1_000_000;

  private final Flight flight = new Flight();

  /** Times of the answers to messages in flight, in the order of sending. */
  private final Deque<Long> answers = new ArrayDeque<>();

  private long nowNanos = 7 * MILLIS;

  @Test
  void beginsWithTheLeast() {
    assertThat(sendAll(nanos -> nanos)).isEqualTo(Flight.LEAST);
  }

  /**
   * The capacity of a line with late answers is not known; the number of requested messages is
   * bounded.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 10, 49, 100, 250})
  void answersThatAreLate_letMoreBeUnderWay(long millis) {
    run(2_000, sent -> sent + millis * MILLIS);
    assertThat(flight.limit()).isEqualTo(Flight.MOST);
  }

  @ParameterizedTest
  @ValueSource(longs = {101, 150, 250, 5_000})
  void answersThatAreTooLate_letNoMore(long millis) {
    run(100, sent -> sent + millis / 5 * MILLIS);
    run(30_000, sent -> sent + millis * MILLIS);
    assertThat(flight.limit()).isEqualTo(Flight.LEAST);
  }

  /** A message passes the line after the messages before it, and its answer goes back. */
  @ParameterizedTest
  @CsvSource({"8, 2, 12", "4, 2, 25", "4, 60, 32", "10, 60, 14", "2, 10, 32", "40, 2, 4"})
  void onALineThatIsFull_noMoreWaitThanAreAnsweredInTime(
      long millisEach, long millisBack, int messages) {
    run(5_000, line(millisEach, millisBack));
    assertThat(flight.limit()).isBetween(messages - messages / 6, messages);
  }

  /** A receiver that stood still when the first message arrived says nothing about the route. */
  @Test
  void whatTakesSecondsIsNoLongWay() {
    run(30_000, sent -> sent + 1_001 * MILLIS);
    assertThat(flight.limit()).isEqualTo(Flight.LEAST);
  }

  /** The receiver is still compiling; afterwards the line is always full. */
  @ParameterizedTest
  @CsvSource({"8, 12", "40, 8"})
  void firstAnswersThatAreLate_sayNothingOfTheWay(long millisEach, int messages) {
    LongUnaryOperator line = line(millisEach, 2);
    int[] sent = {0};
    run(5_000, nanos -> sent[0]++ < Flight.LEAST ? nanos + 900 * MILLIS : line.applyAsLong(nanos));
    assertThat(flight.limit()).isBetween(Flight.LEAST, messages);
  }

  @Test
  void whenTheLineBecomesSlower_fewer() {
    run(5_000, line(4, 2));
    assertThat(flight.limit()).isGreaterThan(20);
    run(5_000, line(10, 2));
    assertThat(flight.limit()).isBetween(8, 10);
  }

  /** Messages in flight are no sign that more of them would be useful. */
  @Test
  void whereNothingWaits_noMore() {
    for (int i = 0; i < 1_000; i++) {
      for (int j = 0; j < Flight.LEAST; j++) {
        flight.sent(nowNanos);
      }
      nowNanos += 20 * MILLIS;
      for (int j = 0; j < Flight.LEAST; j++) {
        flight.arrived(nowNanos);
      }
    }
    assertThat(flight.limit()).isEqualTo(Flight.LEAST);
  }

  /** A link that stands still for a while loses its gain, and regains it. */
  @Test
  void afterAStop_asBefore() {
    run(2_000, sent -> sent + 20 * MILLIS);
    run(60_000, sent -> sent + 3_000 * MILLIS);
    assertThat(flight.limit()).isEqualTo(Flight.LEAST);
    run(5_000, sent -> sent + 20 * MILLIS);
    assertThat(flight.limit()).isEqualTo(Flight.MOST);
  }

  /**
   * Messages that are sent whether or not there is room count like messages that wait for their
   * turn.
   */
  @Test
  void moreThanTheLimitMayBeUnderWay() {
    for (int i = 0; i < 100; i++) {
      flight.sent(nowNanos);
    }
    assertThat(flight.hasRoom()).isFalse();
    assertThat(flight.underWay()).isEqualTo(100);
    for (int i = 0; i < 100; i++) {
      nowNanos += MILLIS;
      flight.arrived(nowNanos);
      assertThat(flight.limit()).isBetween(Flight.LEAST, Flight.MOST);
    }
    assertThat(flight.underWay()).isZero();
  }

  @Test
  void staysWithinItsBounds() {
    SplittableRandom random = new SplittableRandom(18);
    for (int i = 0; i < 200; i++) {
      long scale = 1L << random.nextInt(20, 34);
      run(1_000, sent -> sent + random.nextLong(scale));
      nowNanos += random.nextLong(scale);
      assertThat(flight.limit()).isBetween(Flight.LEAST, Flight.MOST);
    }
  }

  private LongUnaryOperator line(long millisEach, long millisBack) {
    long[] free = {nowNanos};
    return sent -> {
      free[0] = Math.max(free[0], sent) + millisEach * MILLIS;
      return free[0] + millisBack * MILLIS;
    };
  }

  private int sendAll(LongUnaryOperator answer) {
    int sent = 0;
    while (flight.hasRoom()) {
      flight.sent(nowNanos);
      long last = answers.isEmpty() ? 0 : answers.getLast();
      answers.add(Math.max(last, answer.applyAsLong(nowNanos)));
      sent++;
    }
    return sent;
  }

  /** Sends as much as possible for this time; then all answers arrive. */
  private void run(long millis, LongUnaryOperator answer) {
    long end = nowNanos + millis * MILLIS;
    sendAll(answer);
    while (!answers.isEmpty()) {
      nowNanos = answers.remove();
      flight.arrived(nowNanos);
      if (nowNanos < end) {
        sendAll(answer);
      }
    }
  }
}
