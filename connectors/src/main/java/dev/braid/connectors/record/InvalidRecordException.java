package dev.braid.connectors.record;

import dev.braid.files.Printable;
import java.io.Serial;

/**
 * A record is no sample. The message is a short reason that names the field and its value. It has
 * no stack trace, because a topic may be full of such records.
 */
public final class InvalidRecordException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /** Makes an exception, with what a record has and what is wrong with it. */
  public InvalidRecordException(String reason) {
    super(Printable.of(reason), null, false, false);
  }
}
