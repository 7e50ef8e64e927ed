package dev.braid.job.rest;

import java.io.IOException;

/** A question to a Flink that was not answered; the message says why, in a few words. */
public final class RestException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int NOT_FOUND = 404;

  /** Of HTTP; 0 where nobody answered. */
  private final int status;

  private final boolean ofTls;

  private RestException(String message, int status, boolean ofTls, Throwable cause) {
    super(message, cause);
    this.status = status;
    this.ofTls = ofTls;
  }

  /** Nobody answers. */
  static RestException silence(String why, Throwable cause) {
    return new RestException(why, 0, false, cause);
  }

  /** The answer is that there is none. */
  static RestException refusal(String why, int status) {
    return new RestException(why, status, false, null);
  }

  /** One of both does not take the other for what it says that it is. */
  static RestException ofTls(String why, Throwable cause) {
    return new RestException(why, 0, true, cause);
  }

  /** Whether certificates are the reason, so that asking again is of no use. */
  public boolean isOfTls() {
    return ofTls;
  }

  /** Whether Flink has answered, and does not know what it was asked for. */
  public boolean isUnknown() {
    return status == NOT_FOUND;
  }
}
