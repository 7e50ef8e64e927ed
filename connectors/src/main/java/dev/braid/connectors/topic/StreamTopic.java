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
 * A topic of samples, with the properties of its clients.
 *
 * @param name name of the topic
 * @param properties properties of Kafka's clients, including the brokers; they may contain secrets
 */
public record StreamTopic(String name, Map<String, String> properties) implements Serializable {

  private static final String FETCH_WAIT_MILLIS = "5";

  /** Suffix of the name of a topic for dead letters. */
  public static final String DEAD_LETTERS = ".dead-letters";

  /** Returns the name of the topic for records that are not valid samples. */
  public String deadLetters() {
    return name + DEAD_LETTERS;
  }

  /** Returns whether a place is a topic: {@code kafka:} and a name. */
  public static boolean isPlace(String place) {
    return place.startsWith(DataLocation.TOPIC);
  }

  /** Returns the name of a place's topic. */
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

  /** Returns the properties of an admin client. */
  public Properties adminProperties() {
    Properties all = new Properties();
    all.putAll(properties);
    // Only consumers know this property; other clients would log a warning.
    all.remove(ConsumerConfig.ISOLATION_LEVEL_CONFIG);
    return all;
  }

  /**
   * Returns the properties of a consumer that belongs to no group, and reads from explicit offsets.
   */
  public Properties consumerProperties() {
    Properties all = new Properties();
    all.putAll(properties);
    all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    // Records that are dealt exist already. While a broker waits for more records of one partition,
    // it answers no request for another.
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

  /** Returns the topic for people and logs, without the properties, which may contain secrets. */
  @Override
  public String toString() {
    return "topic " + name + " at " + brokers();
  }
}
