package dev.braid.connectors.record;

import dev.braid.text.Printable;
import java.io.Serial;

/**
 * Thrown if a record is not a valid sample. The message is a short reason that names the field and
 * its value. The exception has no stack trace, because a topic may be full of such records.
 */
public final class InvalidRecordException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /** Creates an exception from the record's contents and their fault. */
  public InvalidRecordException(String reason) {
    super(Printable.of(reason), null, false, false);
  }
}
