package dev.braid.chaos.stream;

/** A broker does not answer, or refuses; the message is one line. */
public final class BrokerAwayException extends Exception {

  private static final long serialVersionUID = 1L;

  BrokerAwayException(KafkaTopic topic, Throwable cause) {
    super("Kafka at " + topic.brokers() + ", topic " + topic.name() + ": " + reason(cause), cause);
  }

  private static String reason(Throwable cause) {
    Throwable deepest = cause;
    while (deepest.getCause() != null && deepest.getCause() != deepest) {
      deepest = deepest.getCause();
    }
    if (deepest instanceof org.apache.kafka.common.errors.TimeoutException) {
      return "no broker answers; './braid kafka' starts one at 127.0.0.1:9092, and --kafka-brokers names another";
    }
    String message = deepest.getMessage() == null ? "" : deepest.getMessage();
    return message.lines().findFirst().orElse(deepest.getClass().getSimpleName());
  }
}
