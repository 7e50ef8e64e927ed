package dev.braid.chaos.stream;

import java.util.Collection;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;

/** Thrown if a broker does not respond, refuses, or has no such topic; the message is one line. */
public final class BrokerAwayException extends Exception {

  private static final long serialVersionUID = 1L;

  private static final int MAX_NAMED = 5;

  BrokerAwayException(KafkaTopic topic, Throwable cause) {
    super(where(topic) + BrokerRefusal.reason(topic, cause), cause);
  }

  private BrokerAwayException(String message) {
    super(message);
  }

  /** Returns an exception for a client that the broker knows but does not allow the operation. */
  static BrokerAwayException notAllowed(KafkaTopic topic, AclOperation operation) {
    return new BrokerAwayException(where(topic) + BrokerRefusal.notAllowed(operation));
  }

  /**
   * Returns an exception for a topic that does not exist.
   *
   * @param read topics that trainings read, or have read
   */
  static BrokerAwayException notThere(KafkaTopic topic, Collection<String> read) {
    return new BrokerAwayException(
        where(topic)
            + "no such topic; a training creates it when it starts with `chaos-topic`. "
            + "Trainings use "
            + (read.isEmpty()
                ? "no topic there yet"
                : read.stream().sorted().limit(MAX_NAMED).collect(Collectors.joining(", "))
                    + (read.size() > MAX_NAMED ? ", …" : "")));
  }

  private static String where(KafkaTopic topic) {
    return "Kafka at " + topic.brokers() + ", topic " + topic.name() + ": ";
  }
}
