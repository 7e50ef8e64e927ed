package dev.braid.job.rest;

import java.io.IOException;

/** A question to a Flink that was not answered; the message says why, in a few words. */
public final class RestException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int NOT_FOUND = 404;

  /** Of HTTP; 0 where nobody answered. */
  private final int status;

  private RestException(String message, int status, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** Nobody answers. */
  static RestException silence(String why, Throwable cause) {
    return new RestException(why, 0, cause);
  }

  /** The answer is that there is none. */
  static RestException refusal(String why, int status) {
    return new RestException(why, status, null);
  }

  /** Whether Flink has answered, and does not know what it was asked for. */
  public boolean isUnknown() {
    return status == NOT_FOUND;
  }
}
