package dev.braid.chaos.stream;

import java.io.Serializable;
import java.util.Map;
import java.util.Properties;

/**
 * A topic, and how to reach it.
 *
 * @param brokers {@code host:port}, several separated by commas
 * @param name of the topic
 * @param properties of Kafka's clients (SASL, TLS, …), as the user gave them
 */
public record KafkaTopic(String brokers, String name, Map<String, String> properties)
    implements Serializable {

  static final String APPLIED_SUFFIX = ".applied";
  static final String ISOLATION = "isolation.level";
  static final String READ_COMMITTED = "read_committed";

  private static final String RETRY_MILLIS = "1000";

  /** The topic in which a run says what became of this topic's events. */
  public KafkaTopic applied() {
    return new KafkaTopic(brokers, name + APPLIED_SUFFIX, properties);
  }

  /** The topic that gets the records that are no events. */
  public KafkaTopic deadLetters() {
    return new KafkaTopic(brokers, name + ".dead-letters", properties);
  }

  /** For people and logs: without the properties, as there are secrets among them. */
  @Override
  public String toString() {
    return "topic " + name + " at " + brokers;
  }

  /** What every client needs; the user's properties win. */
  public Properties clientProperties() {
    Properties all = new Properties();
    all.setProperty("bootstrap.servers", brokers);
    // A broker that is away is tried again each second, not ever more seldom.
    all.setProperty("reconnect.backoff.max.ms", RETRY_MILLIS);
    // An event of a transaction counts once the transaction is committed.
    all.setProperty(ISOLATION, READ_COMMITTED);
    all.putAll(properties);
    return all;
  }
}
