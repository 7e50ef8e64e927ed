package dev.braid.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.braid.chaos.event.Action;
import dev.braid.chaos.event.ChaosEvent;
import dev.braid.chaos.event.Link;
import dev.braid.chaos.event.Target;
import dev.braid.chaos.fault.PlayedPlan.Sent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterProperty;

/**
 * Tests messages on one link under any schedule of faults that begin, end and are healed. The
 * expected times are derived only from the schedule, not in the way of the plan.
 */
class MessagesThatWaitTest {

  private static final long MILLI = 1_000_000;
  private static final Link LINK = new Link(1, 0);
  private static final Target TARGET = new Target.OfLink(LINK, true);
  private static final int HORIZON_MILLIS = 400;

  /** Tolerance: a step is rounded to whole nanoseconds, and a message may take a few steps. */
  private static final long ROUNDING_NANOS = 50;

  /** A fault, in force from the beginning until before the end. */
  private record Span(Action action, long beginNanos, long endNanos) {

    boolean isIn(long nanos) {
      return beginNanos <= nanos && nanos < endNanos;
    }
  }

  private record Course(PlayedPlan played, List<Span> spans, List<Sent> sent) {}

  private long waited;
  private long waitedAtAnEnd;

  @AfterProperty
  void messagesWaited() {
    System.out.println(waited + " messages waited, " + waitedAtAnEnd + " when a fault ended");
    assertThat(waited).isGreaterThan(500);
    assertThat(waitedAtAnEnd).isGreaterThan(300);
  }

  /** Delays have no jitter, so that only the schedule is random. */
  @Property(tries = 300)
  void aMessageWaitsForTheFaultsInForce_andNoLonger(@ForAll long seed) {
    Course course = play(seed, MessagesThatWaitTest::exact);
    long carried = Long.MIN_VALUE;
    long arrived = Long.MIN_VALUE;
    for (Sent message : course.sent()) {
      carried = carriedNanos(course.spans(), message, Math.max(carried, message.nanos()));
      arrived = arrivalNanos(course.spans(), message, carried, arrived);
      assertThat(message.arrivals()).hasSize(1);
      assertThat(message.arrivals().get(0))
          .as(
              "message %d of %d bytes, sent at %d, %s",
              message.number(), message.bytes(), message.nanos(), course.spans())
          .isBetween(arrived - ROUNDING_NANOS, arrived + ROUNDING_NANOS);
      arrived = message.arrivals().get(0);
    }
  }

  @Property(tries = 300)
  void orderIsKept_whateverTheJitter(@ForAll long seed) {
    Course course = play(seed, MessagesThatWaitTest::inOrder);
    assertThat(course.played().arrived)
        .isSortedAccordingTo(Comparator.comparingInt(Sent::number))
        .hasSize(course.sent().size() - course.played().lost.size());
  }

  /** Between the ends of any two messages, the link carries at most its capacity. */
  @Property(tries = 300)
  void aThrottledLinkCarriesNoMoreThanItsRate(@ForAll long seed) {
    Course course = play(seed, random -> new Action.Throttle(1_000 + random.nextInt(100_000)));
    List<Sent> arrived = course.played().arrived;
    for (int first = 0; first < arrived.size(); first++) {
      long bytes = 0;
      long begin = arrived.get(first).arrivals().get(0);
      for (int i = first + 1; i < arrived.size(); i++) {
        bytes += arrived.get(i).bytes();
        long end = arrived.get(i).arrivals().get(0);
        assertThat((double) bytes)
            .as("bytes from %d to %d ns", begin, end)
            .isLessThanOrEqualTo(capacity(course.spans(), begin, end + ROUNDING_NANOS));
      }
    }
  }

  /** Faults of all kinds occur, including those that let messages overtake each other. */
  @Property(tries = 300)
  void nothingWaitsOnALinkWithoutFaults(@ForAll long seed) {
    Course course = play(seed, MessagesThatWaitTest::any);
    for (Sent message : course.sent()) {
      for (long arrival : message.arrivals()) {
        long now = message.nanos();
        while (now < arrival) {
          long at = now;
          now =
              course.spans().stream()
                  .filter(span -> span.isIn(at))
                  .mapToLong(Span::endNanos)
                  .max()
                  .orElseThrow(
                      () -> new AssertionError(message + " waits at " + at + " for nothing"));
        }
      }
    }
  }

  // ---- the schedule ----------------------------------------------------------------------------

  private static double bytesPerSecond(List<Span> spans, long nanos) {
    return spans.stream()
        .filter(span -> span.isIn(nanos) && span.action() instanceof Action.Throttle)
        .mapToDouble(span -> ((Action.Throttle) span.action()).bytesPerSecond())
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  private static long nextChange(List<Span> spans, long nanos) {
    return spans.stream()
        .flatMapToLong(span -> LongStream.of(span.beginNanos(), span.endNanos()))
        .filter(change -> change > nanos)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Returns the number of bytes that the link may carry between two times. */
  private static double capacity(List<Span> spans, long begin, long end) {
    double bytes = 0;
    for (long now = begin; now < end; now = nextChange(spans, now)) {
      bytes += bytesPerSecond(spans, now) * (Math.min(end, nextChange(spans, now)) - now) / 1e9;
    }
    return bytes;
  }

  /** Returns when a message has been carried that is first in the queue from this time on. */
  private static long carriedNanos(List<Span> spans, Sent message, long turnNanos) {
    double left = message.bytes();
    long now = turnNanos;
    while (true) {
      double rate = bytesPerSecond(spans, now);
      if (Double.isInfinite(rate)) {
        return now;
      }
      long change = nextChange(spans, now);
      double lasts = left / rate * 1e9;
      if (change == Long.MAX_VALUE || now + lasts <= change) {
        return now + Math.round(lasts);
      }
      left -= rate * (change - now) / 1e9;
      now = change;
    }
  }

  /** Returns when a message arrives that was carried at this time, after the previous message. */
  private static long arrivalNanos(List<Span> spans, Sent message, long carried, long before) {
    long now = Math.max(carried, before);
    while (true) {
      long at = now;
      long late =
          spans.stream()
              .filter(span -> span.isIn(message.nanos()) && span.isIn(at))
              .filter(span -> span.action() instanceof Action.Delay)
              .mapToLong(span -> ((Action.Delay) span.action()).delayMillis() * MILLI)
              .sum();
      long due = Math.max(now, carried + late);
      long change = nextChange(spans, now);
      if (due <= change) {
        return due;
      }
      now = change;
    }
  }

  // ---- a course --------------------------------------------------------------------------------

  private interface Draw {
    Action next(SplittableRandom random);
  }

  private static Action exact(SplittableRandom random) {
    return random.nextBoolean()
        ? new Action.Throttle(1_000 + random.nextInt(100_000))
        : new Action.Delay(random.nextInt(100), 0);
  }

  private static Action inOrder(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> new Action.Throttle(1_000 + random.nextInt(100_000));
      case 1 -> new Action.Delay(random.nextInt(100), random.nextInt(100));
      case 2 -> new Action.Drop(0.2);
      case 3 -> new Action.Corrupt(0.2);
      default -> new Action.Cut();
    };
  }

  private static Action any(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> new Action.Reorder(1 - random.nextDouble(), 1 + random.nextInt(100));
      case 1 -> new Action.Duplicate(0.5);
      default -> inOrder(random);
    };
  }

  /** Plays a course in which faults begin and end, some by a heal, while messages are sent. */
  private Course play(long seed, Draw draw) {
    SplittableRandom random = new SplittableRandom(seed);
    PlayedPlan played = new PlayedPlan(2, seed);
    List<Span> spans = new ArrayList<>();
    List<Sent> sent = new ArrayList<>();
    int steps = random.nextInt(5, 60);
    long now = 0;
    for (int i = 0; i < steps; i++) {
      now += random.nextLong(2L * HORIZON_MILLIS * MILLI / steps);
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          Action action = draw.next(random);
          long millis = 1 + random.nextLong(HORIZON_MILLIS);
          played.accept(ChaosEvent.of(action, TARGET).withDuration(millis), now);
          spans.add(new Span(action, now, now + millis * MILLI));
        }
        case 2 -> {
          long healed = now;
          played.accept(ChaosEvent.of(new Action.Heal(), TARGET), now);
          spans.replaceAll(
              span ->
                  span.isIn(healed) ? new Span(span.action(), span.beginNanos(), healed) : span);
        }
        default -> sent.add(played.send(LINK.from(), LINK.to(), now, 1 + random.nextInt(5_000)));
      }
    }
    played.playTo(10_000L * MILLI);
    count(spans, sent);
    return new Course(played, spans, sent);
  }

  private void count(List<Span> spans, List<Sent> sent) {
    for (Sent message : sent) {
      if (!message.arrivals().isEmpty() && message.arrivals().get(0) > message.nanos()) {
        waited++;
        long arrival = message.arrivals().get(0);
        waitedAtAnEnd +=
            spans.stream()
                    .anyMatch(
                        span -> message.nanos() < span.endNanos() && span.endNanos() <= arrival)
                ? 1
                : 0;
      }
    }
  }
}
