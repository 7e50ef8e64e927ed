package dev.braid.connectors.topic;

import dev.braid.connectors.file.InvalidDataException;
import java.io.IOException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;

/** Distinguishes permanent failures of Kafka's clients from temporary ones. */
public final class TopicFailure {

  private TopicFailure() {}

  /**
   * Returns an exception for a temporary failure.
   *
   * @param place name of the topic in messages
   * @throws InvalidDataException for a permanent failure, because brokers or the client refuse the
   *     request
   */
  public static IOException of(String place, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (isUnknownHost(cause)) {
        return new IOException(
            place + ": unknown host; `kafka-brokers` names another broker", failure);
      }
      if (cause instanceof AuthorizationException
          || cause instanceof AuthenticationException
          || cause instanceof ConfigException) {
        throw new InvalidDataException(place + ": refused: " + cause.getMessage(), failure);
      }
    }
    return new IOException(place + ": " + reason(failure), failure);
  }

  /**
   * Returns whether a client could not be created because no broker's host has an address. A name
   * service may fail for a while.
   */
  private static boolean isUnknownHost(Throwable failure) {
    return failure instanceof ConfigException
        && String.valueOf(failure.getMessage()).contains("resolvable");
  }

  /**
   * Returns the reason for a failure. Kafka's own message for an unreachable broker is about its
   * clients, so another is put before it.
   */
  static String reason(Throwable failure) {
    return failure instanceof TimeoutException
        ? "no broker answers (%s)".formatted(failure.getMessage())
        : failure.getMessage();
  }
}
