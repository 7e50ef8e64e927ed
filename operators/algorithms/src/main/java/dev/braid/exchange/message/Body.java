package dev.braid.exchange.message;

import dev.braid.vector.Range;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The content of a message, as records in families by sender. Each record declares its {@link
 * BodyKind}, which is its code on the wire and how it is read. Two records have several kinds: a
 * {@link Sum} has one for each {@link Sum.Kind}, and a {@link Share.Gradient} has another one if it
 * is flushed. {@link BodyForm} lists all kinds.
 */
public sealed interface Body
    permits Body.OverRange,
        TreeNotice,
        LinkControl,
        Presence,
        ReplicaCopyBody,
        Share,
        Pull,
        Sharing,
        TreeChoice,
        Coded {

  /** Returns the form of this body on the wire, without its values. */
  BodyForm form();

  /** Returns the range of the vector that the body refers to; empty if it refers to none. */
  default Range range() {
    return Range.EMPTY;
  }

  /** Returns the values of the body; {@link Payload#none()} if it carries none. */
  default Payload payload() {
    return Payload.none();
  }

  /**
   * Returns whether the body belongs to its message's round, and is void if that round is rolled
   * back. Other bodies are valid in any round; their message's round is only the one that their
   * sender is in.
   */
  default boolean belongsToRound() {
    return true;
  }

  /**
   * A body with a value for each element of its range, or without values where these are left out.
   */
  sealed interface OverRange extends Body
      permits Sum,
          ReplicaCopyBody.Part,
          Share.Gradient,
          Share.Missed,
          Share.Weights,
          Sharing.SharedUpdate,
          Pull.Granted,
          TreeChoice.Times,
          Coded.Answer,
          Coded.RoundSum {

    @Override
    Range range();

    @Override
    Payload payload();

    /**
     * Returns whether the body may arrive without the values of its range, because its receiver may
     * already have them.
     */
    default boolean mayLackValues() {
      return false;
    }

    /**
     * Checks that a payload is empty or has one value for each element of a range.
     *
     * @throws IllegalArgumentException if not; the message names both lengths
     */
    static void check(Range range, Payload payload) {
      if (payload.length() != 0 && payload.length() != range.length()) {
        throw new IllegalArgumentException(
            payload.length() + " values for a range of " + range.length() + " elements");
      }
    }

    /** Releases the values of waiting bodies and sets all elements to null. */
    static void forget(OverRange[] waiting) {
      for (OverRange body : waiting) {
        if (body != null) {
          body.payload().release();
        }
      }
      Arrays.fill(waiting, null);
    }
  }

  /**
   * The wire form of a body without its values: a code for the kind of body, a range, and two
   * numbers whose meaning depends on the code. All bodies have this form. So only a route makes a
   * header longer, and no number of a body is used before the checksum is verified.
   *
   * @param code kind of body; each kind keeps its code forever
   * @param start first element of the range
   * @param end end of the range, exclusive
   * @param first first number of the body; 0 if it has none
   * @param second second number of the body; 0 if it has none
   */
  record BodyForm(int code, int start, int end, long first, long second) {

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
     * @throws IllegalArgumentException if the code is unknown, a number is out of range, the body
     *     can have no values, or it lacks values that the receiver cannot have already
     */
    public Body body(Payload values) {
      Range range = range();
      Body body = read(values);
      if (body instanceof OverRange valued) {
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

  /**
   * A kind of body on the wire. Each body declares its kinds, and writes itself with one of them.
   *
   * @param code code of the kind, which it keeps forever
   * @param reader reads a body of this kind from its form and its values, which are checked later.
   *     It throws {@code IllegalArgumentException} if a number is out of range
   */
  record BodyKind(int code, BiFunction<BodyForm, Payload, Body> reader) {

    /** Returns the form of a body that refers to no range. */
    BodyForm form(long first, long second) {
      return form(Range.EMPTY, first, second);
    }

    /** Returns the form of a body that refers to a range. */
    BodyForm form(Range range, long first, long second) {
      return new BodyForm(code, range.start(), range.end(), first, second);
    }
  }
}
