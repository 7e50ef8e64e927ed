package dev.braid.exchange.message;

import dev.braid.vector.Range;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The wire form of a body without its values: a code for the kind of body, a range, and two numbers
 * whose meaning depends on the code. All bodies have this form. A header therefore has a fixed
 * length, a checksum is verified before any number is used, and a damaged message causes no
 * allocation.
 *
 * @param code kind of body; each kind keeps its code forever
 * @param start first element of the range
 * @param end end of the range, exclusive
 * @param first first number of the body; 0 if it has none
 * @param second second number of the body; 0 if it has none
 */
public record BodyForm(int code, int start, int end, long first, long second) {

  /** Size on the wire, in bytes. */
  static final int BYTES = 1 + 4 + 4 + 8 + 8;

  /** All kinds of bodies, by their codes. */
  private static final Map<Integer, BodyKind> KINDS =
      Stream.concat(
              Sum.KINDS.stream(),
              Stream.of(
                  TreeNotice.ReduceSent.KIND,
                  TreeNotice.ReduceReceived.KIND,
                  TreeNotice.ReduceRequest.KIND,
                  TreeNotice.BroadcastSent.KIND,
                  TreeNotice.BroadcastReceived.KIND,
                  TreeNotice.ComingThroughYou.KIND,
                  LinkControl.Acknowledgement.KIND,
                  LinkControl.Probe.KIND,
                  LinkControl.Find.KIND,
                  LinkControl.RouteFound.KIND,
                  LinkControl.RouteBack.KIND,
                  Presence.Hello.KIND,
                  Presence.Knock.KIND,
                  Presence.Knocked.KIND,
                  ReplicaCopyBody.Request.KIND,
                  ReplicaCopyBody.Part.KIND,
                  ReplicaCopyBody.Steps.KIND,
                  ReplicaCopyBody.StateRequest.KIND,
                  Share.Gradient.KIND,
                  Share.Gradient.FLUSHED,
                  Share.Weights.KIND,
                  Share.Rates.KIND,
                  Share.Adopt.KIND,
                  Share.Missed.KIND,
                  Pull.Request.KIND,
                  Pull.Granted.KIND,
                  Pull.Refused.KIND,
                  Pull.Withdraw.KIND,
                  TreeChoice.Times.KIND,
                  TreeChoice.Chosen.KIND,
                  Coded.Answer.KIND,
                  Coded.RoundSum.KIND,
                  Coded.Entered.KIND,
                  Sharing.SharedUpdate.KIND,
                  Sharing.Has.KIND,
                  Sharing.SideHas.KIND,
                  Sharing.AllHave.KIND))
          .collect(Collectors.toUnmodifiableMap(BodyKind::code, kind -> kind));

  /**
   * Returns the body of this form with the given values.
   *
   * @throws IllegalArgumentException if the code is unknown, a number is out of range, the body can
   *     have no values, or it lacks values that the receiver cannot have already
   */
  public Body body(Payload values) {
    Range range = range();
    Body body = read(values);
    if (body instanceof Body.OverRange valued) {
      if (values.isEmpty() && !range.isEmpty() && !valued.mayLackValues()) {
        throw new IllegalArgumentException(
            "%d elements in a message of code %d: must have values"
                .formatted(range.length(), code));
      }
    } else if (!values.isEmpty()) {
      throw new IllegalArgumentException(
          values.length() + " values in a message of code " + code + ": must have none");
    }
    return body;
  }

  /** Returns the body of this form with values that are not checked. */
  Body read(Payload values) {
    BodyKind kind = KINDS.get(code);
    if (kind == null) {
      throw new IllegalArgumentException("message code " + code + ": unknown");
    }
    return kind.reader().apply(this, values);
  }

  /** Returns the range; throws an {@code IllegalArgumentException} if it is not valid. */
  Range range() {
    return new Range(start, end);
  }

  /** Returns the first number as a rank, phase, vector or count; throws if it cannot be one. */
  int firstInt() {
    return whole(first);
  }

  /** Returns the second number as a rank, phase, vector or count; throws if it cannot be one. */
  int secondInt() {
    return whole(second);
  }

  private static int whole(long number) {
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          number + ": not a rank, phase, vector or count; must be 0 to 2147483647");
    }
    return (int) number;
  }

  /** Returns one number that contains two ints, any of which may be negative. */
  static long pair(int upper, int lower) {
    return ((long) upper << Integer.SIZE) | (lower & 0xFFFF_FFFFL);
  }

  /** Returns the first int of a {@link #pair}. */
  static int upper(long pair) {
    return (int) (pair >>> Integer.SIZE);
  }

  /** Returns the second int of a {@link #pair}. */
  static int lower(long pair) {
    return (int) pair;
  }
}
