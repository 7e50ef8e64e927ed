package dev.braid.connectors.topic;

import dev.braid.connectors.DataLocation;
import java.io.Serializable;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A topic of samples, and how to reach it.
 *
 * @param name the topic
 * @param properties of Kafka's clients, with the brokers among them; there may be secrets in them
 */
public record StreamTopic(String name, Map<String, String> properties) implements Serializable {

  private static final String FETCH_WAIT_MILLIS = "5";

  /** Suffix of the name of a topic for dead letters. */
  public static final String DEAD_LETTERS = ".dead-letters";

  /** Returns the name of the topic that gets the records that are no samples. */
  public String deadLetters() {
    return name + DEAD_LETTERS;
  }

  /** Returns whether a place is a topic: {@code kafka:} and a name. */
  public static boolean isPlace(String place) {
    return place.startsWith(DataLocation.TOPIC);
  }

  /** Returns the name of the topic that a place is. */
  public static String nameIn(String place) {
    return place.substring(DataLocation.TOPIC.length());
  }

  /** Returns the topic as a place: {@code kafka:} and its name. */
  public String place() {
    return DataLocation.TOPIC + name;
  }

  /** Returns the brokers' addresses. */
  public String brokers() {
    return properties.getOrDefault(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "");
  }

  /** Returns the properties of a client that asks about topics. */
  public Properties adminProperties() {
    Properties all = new Properties();
    all.putAll(properties);
    // They mean something to consumers only, and others would warn of them.
    all.remove(ConsumerConfig.ISOLATION_LEVEL_CONFIG);
    return all;
  }

  /**
   * Returns the properties of a consumer that belongs to no group, and goes to offsets that it is
   * given.
   */
  public Properties consumerProperties() {
    Properties all = new Properties();
    all.putAll(properties);
    all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    // Dealt records are there already. While a broker waits for more of one partition, it answers
    // no request for another.
    all.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    all.remove(ConsumerConfig.GROUP_ID_CONFIG);
    all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    return all;
  }

  /** Returns the properties of a producer whose keys and values are bytes. */
  public Properties producerProperties() {
    Properties all = adminProperties();
    all.put("key.serializer", ByteArraySerializer.class.getName());
    all.put("value.serializer", ByteArraySerializer.class.getName());
    return all;
  }

  /** For people and logs: without the properties, as there are secrets among them. */
  @Override
  public String toString() {
    return "topic " + name + " at " + brokers();
  }
}
