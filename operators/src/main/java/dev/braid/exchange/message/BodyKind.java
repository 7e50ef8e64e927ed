package dev.braid.exchange.message;

import dev.braid.vector.Range;
import java.util.function.BiFunction;

/**
 * A kind of body on the wire. Each body declares its kinds, and writes itself with one of them.
 *
 * @param code code of the kind, which it keeps forever
 * @param reader reads a body of this kind from its form and its values, which are checked later. It
 *     throws {@code IllegalArgumentException} if a number is out of range
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
