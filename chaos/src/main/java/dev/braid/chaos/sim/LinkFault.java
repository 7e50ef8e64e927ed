package dev.braid.chaos.sim;

/**
 * Something wrong with one link, that is, with one way between two ranks, for a time.
 *
 * @param from the rank whose messages are hit
 * @param to the rank that they are for
 * @param beginNanos from when on
 * @param endNanos until when
 * @param effect what happens to messages that are sent in that time
 */
public record LinkFault(int from, int to, long beginNanos, long endNanos, Effect effect) {

  public LinkFault {
    if (from == to || from < 0 || to < 0) {
      throw new IllegalArgumentException(
          "fault on the link from rank %d to rank %d: two ranks are needed".formatted(from, to));
    }
    if (beginNanos < 0 || endNanos < beginNanos) {
      throw new IllegalArgumentException(
          "fault from %d to %d ns: 0 <= begin <= end is needed".formatted(beginNanos, endNanos));
    }
  }

  boolean isActive(long nanos) {
    return beginNanos <= nanos && nanos < endNanos;
  }

  boolean overlaps(LinkFault other) {
    return beginNanos < other.endNanos && other.beginNanos < endNanos;
  }

  /** What happens to messages. */
  public sealed interface Effect {

    /** None arrives. */
    record Cut() implements Effect {}

    /** Each is lost with this probability: dropped, or its checksum is wrong. */
    record Drop(double probability) implements Effect {
      public Drop {
        check("drop", probability);
      }
    }

    /** Each arrives a second time with this probability, up to {@code withinNanos} later. */
    record Duplicate(double probability, long withinNanos) implements Effect {
      public Duplicate {
        check("duplicate", probability);
        check("duplicate", withinNanos);
      }
    }

    /** Each is late with this probability, by up to {@code byNanos}: others overtake it. */
    record Reorder(double probability, long byNanos) implements Effect {
      public Reorder {
        check("reorder", probability);
        check("reorder", byNanos);
      }
    }

    /** All arrive this much later. */
    record Delay(long nanos) implements Effect {
      public Delay {
        check("delay", nanos);
      }
    }

    /** They leave at this rate. */
    record Throttle(double bytesPerSecond) implements Effect {
      public Throttle {
        if (!(bytesPerSecond > 0)) {
          throw new IllegalArgumentException(
              "throttle to " + bytesPerSecond + " bytes/s: more than 0 is needed");
        }
      }
    }

    private static void check(String name, double probability) {
      if (!(probability >= 0 && probability <= 1)) {
        throw new IllegalArgumentException(
            name + " with probability " + probability + ": 0 to 1 is needed");
      }
    }

    private static void check(String name, long nanos) {
      if (nanos < 0) {
        throw new IllegalArgumentException(name + " by " + nanos + " ns: 0 or more is needed");
      }
    }
  }
}
