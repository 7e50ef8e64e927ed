package dev.braid.chaos.stream;

import java.io.Serializable;
import java.util.Map;
import java.util.Properties;

/**
 * A topic, and the brokers and properties to access it.
 *
 * @param brokers {@code host:port}, several separated by commas
 * @param name name of the topic
 * @param properties properties of Kafka's clients (SASL, TLS, …), as the user specified them
 */
public record KafkaTopic(String brokers, String name, Map<String, String> properties)
    implements Serializable {

  static final String APPLIED_SUFFIX = ".applied";
  static final String ISOLATION = "isolation.level";
  static final String READ_COMMITTED = "read_committed";

  private static final String RETRY_MILLIS = "1000";

  /** Returns the topic to which a run writes what happened to this topic's events. */
  public KafkaTopic applied() {
    return new KafkaTopic(brokers, name + APPLIED_SUFFIX, properties);
  }

  /** Returns the topic for the records that are not events. */
  public KafkaTopic deadLetters() {
    return new KafkaTopic(brokers, name + ".dead-letters", properties);
  }

  /** Returns a text for people and logs, without the properties, since they may contain secrets. */
  @Override
  public String toString() {
    return "topic " + name + " at " + brokers;
  }

  /** Returns the properties that every client needs; the user's properties take precedence. */
  public Properties clientProperties() {
    Properties all = new Properties();
    all.setProperty("bootstrap.servers", brokers);
    // A broker that is unavailable is tried again each second, without growing intervals.
    all.setProperty("reconnect.backoff.max.ms", RETRY_MILLIS);
    // An event in a transaction counts once the transaction is committed.
    all.setProperty(ISOLATION, READ_COMMITTED);
    all.putAll(properties);
    return all;
  }
}
