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

/** How many messages are under way, by when answers come. */
class FlightTest {

  private static final long MILLIS = 1_000_000;

  private final Flight flight = new Flight();

  /** When answers to messages under way come, in the order of sending. */
  private final Deque<Long> answers = new ArrayDeque<>();

  private long nowNanos = 7 * MILLIS;

  @Test
  void beginsWithTheLeast() {
    assertThat(sendAll(nanos -> nanos)).isEqualTo(Flight.LEAST);
  }

  /** What a line can take whose answers are late is not known; what is asked for is bounded. */
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

  /** A message passes the line after those before it, and its answer goes back. */
  @ParameterizedTest
  @CsvSource({"8, 2, 12", "4, 2, 25", "4, 60, 32", "10, 60, 14", "2, 10, 32", "40, 2, 4"})
  void onALineThatIsFull_noMoreWaitThanAreAnsweredInTime(
      long millisEach, long millisBack, int messages) {
    run(5_000, line(millisEach, millisBack));
    assertThat(flight.limit()).isBetween(messages - messages / 6, messages);
  }

  /** A receiver that stood still when the first message came says nothing of the way. */
  @Test
  void whatTakesSecondsIsNoLongWay() {
    run(30_000, sent -> sent + 1_001 * MILLIS);
    assertThat(flight.limit()).isEqualTo(Flight.LEAST);
  }

  /** A receiver is still compiling, and then the line is always full. */
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

  /** What is under way is no sign that more would be of use. */
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

  /** One that stands still for a while loses what it had gained, and gains it again. */
  @Test
  void afterAStop_asBefore() {
    run(2_000, sent -> sent + 20 * MILLIS);
    run(60_000, sent -> sent + 3_000 * MILLIS);
    assertThat(flight.limit()).isEqualTo(Flight.LEAST);
    run(5_000, sent -> sent + 20 * MILLIS);
    assertThat(flight.limit()).isEqualTo(Flight.MOST);
  }

  /** What is sent whether or not there is room counts as what waits for its turn does. */
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

  /** There is always more to be sent, for so long; then all answers come. */
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
