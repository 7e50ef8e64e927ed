package dev.braid.job.rest;

import java.io.IOException;

/** Failure of a request to a Flink; the message gives the reason in a few words. */
public final class RestException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int NOT_FOUND = 404;

  /** Status of HTTP; 0 without an answer. */
  private final int status;

  private final boolean ofTls;

  private RestException(String message, int status, boolean ofTls, Throwable cause) {
    super(message, cause);
    this.status = status;
    this.ofTls = ofTls;
  }

  /** Returns the failure of a server that does not answer, or not as Flink does. */
  static RestException silence(String why, Throwable cause) {
    return new RestException(why, 0, false, cause);
  }

  /** Returns the failure of an answer with another status than success. */
  static RestException refusal(String why, int status) {
    return new RestException(why, status, false, null);
  }

  /** Returns the failure of authentication, in either direction. */
  static RestException ofTls(String why, Throwable cause) {
    return new RestException(why, 0, true, cause);
  }

  /** Returns whether certificates are the reason, so that a retry would be useless. */
  public boolean isOfTls() {
    return ofTls;
  }

  /** Returns whether Flink has answered that it does not know the requested object. */
  public boolean isUnknown() {
    return status == NOT_FOUND;
  }
}
