package dev.braid.chaos.stream;

import org.apache.kafka.common.acl.AclOperation;

/** A broker does not answer, or refuses; the message is one line. */
public final class BrokerAwayException extends Exception {

  private static final long serialVersionUID = 1L;

  BrokerAwayException(KafkaTopic topic, Throwable cause) {
    super(where(topic) + BrokerRefusal.reason(topic, cause), cause);
  }

  private BrokerAwayException(String message) {
    super(message);
  }

  /** The broker knows who asks, and does not let them do this. */
  static BrokerAwayException notAllowed(KafkaTopic topic, AclOperation operation) {
    return new BrokerAwayException(where(topic) + BrokerRefusal.notAllowed(operation));
  }

  private static String where(KafkaTopic topic) {
    return "Kafka at " + topic.brokers() + ", topic " + topic.name() + ": ";
  }
}
