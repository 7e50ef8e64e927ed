package dev.braid.connectors.topic;

import dev.braid.connectors.file.InvalidDataException;
import java.io.IOException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;

/** Failures of Kafka's clients, told apart by whether they may pass. */
public final class TopicFailure {

  private TopicFailure() {}

  /**
   * Returns a failure that may pass.
   *
   * @param place names the topic in messages
   * @throws InvalidDataException for one that would be the same again, as brokers or the client
   *     refuse
   */
  public static IOException of(String place, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AuthorizationException
          || cause instanceof AuthenticationException
          || cause instanceof ConfigException) {
        throw new InvalidDataException(place + ": refused: " + cause.getMessage(), failure);
      }
    }
    return new IOException(place + ": " + reason(failure), failure);
  }

  /** Returns what has failed; Kafka's own words for a broker that is away are about its clients. */
  static String reason(Throwable failure) {
    return failure instanceof TimeoutException
        ? "no broker answers (%s)".formatted(failure.getMessage())
        : failure.getMessage();
  }
}
