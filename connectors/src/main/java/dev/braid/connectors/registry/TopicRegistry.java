package dev.braid.connectors.registry;

import dev.braid.connectors.file.InvalidDataException;
import dev.braid.connectors.topic.StreamTopic;
import dev.braid.connectors.topic.TopicFailure;
import dev.braid.connectors.topic.TopicForm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;

/**
 * A registry in a compacted Kafka topic of two partitions.
 *
 * <p>Partition 0 is the index. A record with the key {@code v17} describes version 17, and makes it
 * visible. The record {@code pinned} contains the name of the pinned version. Partition 1 contains
 * the chunks of files, with the keys of {@link FileChunks}. A version's description is sent only
 * after brokers have acknowledged its chunks. Versions are removed by records without values, the
 * description first.
 *
 * <p>A chunk's key contains the checksum of its file. A version that is published again, or by two
 * jobs at once, therefore has the same chunks, and files with another content never replace them.
 *
 * <p>An instance keeps the records of the index that it has read, and then reads only new ones.
 */
final class TopicRegistry implements ModelRegistry {

  private static final int INDEX = 0;
  private static final int CHUNKS = 1;
  private static final String PINNED = "pinned";

  /** Header of a description with the offset of the first chunk, at which reading begins. */
  private static final String FIRST_CHUNK = "first-chunk";

  private static final Pattern OFFSET = Pattern.compile("\\d{1,18}");

  /**
   * Time after which the index is read from its beginning again, because the topic keeps records
   * without values for a day only.
   */
  private static final Duration FRESH = Duration.ofHours(1);

  /**
   * A version's record in the index.
   *
   * @param firstChunk offset of the first chunk
   */
  private record Described(byte[] json, long firstChunk) {}

  private final StreamTopic topic;
  private final TopicReader reader;
  private final Supplier<Producer<byte[], byte[]>> producers;

  private final SortedMap<Integer, Described> versions = new TreeMap<>();
  private Optional<byte[]> pin = Optional.empty();
  private String topicId = "";
  private long next;
  private long readNanos;

  /** Creates a registry that writes with the given producers. */
  TopicRegistry(StreamTopic topic, Supplier<Producer<byte[], byte[]>> producers)
      throws IOException {
    this.topic = topic;
    this.reader = TopicReader.open(topic, CHUNKS + 1);
    this.producers = producers;
  }

  static TopicRegistry open(StreamTopic topic) throws IOException {
    return new TopicRegistry(topic, () -> new KafkaProducer<>(TopicWriter.properties(topic)));
  }

  @Override
  public String place() {
    return topic.place();
  }

  // ---- reading ---------------------------------------------------------------------------------

  @Override
  public SortedSet<Integer> numbers() throws IOException {
    refresh();
    return new TreeSet<>(versions.keySet());
  }

  @Override
  public OptionalInt pinned() throws IOException {
    refresh();
    return pin.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(ModelVersion.pinned(at(PINNED), pin.get()));
  }

  @Override
  public Optional<ModelVersion> version(int number) throws IOException {
    // A version does not change, and callers that list many versions have just requested their
    // numbers.
    if (!versions.containsKey(number)) {
      refresh();
    }
    return Optional.ofNullable(versions.get(number))
        .map(it -> ModelVersion.parse(at(ModelVersion.name(number)), number, it.json()));
  }

  @Override
  public byte[] file(ModelVersion version, String name) throws IOException {
    String place = at(version.name() + "/" + name);
    int length = version.lengthOf(place, name);
    SortedMap<Integer, Long> ends = refresh();
    Optional<Described> described = Optional.ofNullable(versions.get(version.number()));
    try {
      long end = ends.getOrDefault(CHUNKS, 0L);
      long first = described.map(Described::firstChunk).orElse(end);
      Set<String> keys = FileChunks.keys(version, name);
      Map<String, byte[]> found = chunks(keys, first, end);
      if (found.size() < keys.size() && described.isPresent() && first > 0) {
        // In a copied topic, chunks have other offsets.
        found = chunks(keys, 0, end);
      }
      return version.checked(place, name, joined(place, keys, found, length));
    } catch (InvalidDataException e) {
      if (numbers().contains(version.number())) {
        throw e;
      }
      throw new IOException(place + ": the version was removed while it was read", e);
    }
  }

  private Map<String, byte[]> chunks(Set<String> keys, long first, long end) throws IOException {
    Map<String, byte[]> found = new HashMap<>();
    if (!keys.isEmpty()) {
      reader.read(
          CHUNKS,
          first,
          end,
          record -> {
            String key = text(record.key());
            if (keys.contains(key)) {
              found.put(key, Optional.ofNullable(record.value()).orElse(new byte[0]));
            }
            return found.size() < keys.size();
          });
    }
    return found;
  }

  private static byte[] joined(
      String place, Set<String> keys, Map<String, byte[]> found, int length) {
    long sum = found.values().stream().mapToLong(chunk -> chunk.length).sum();
    if (sum != length || found.size() != keys.size()) {
      throw new InvalidDataException(
          "%s: damaged: %,d of %,d bytes are there".formatted(place, sum, length));
    }
    ByteArrayOutputStream content = new ByteArrayOutputStream(length);
    keys.forEach(key -> content.writeBytes(found.get(key)));
    return content.toByteArray();
  }

  /**
   * Reads new records of the index, and returns the end of each partition; empty if there is no
   * topic.
   */
  private SortedMap<Integer, Long> refresh() throws IOException {
    TopicReader.Sight now = reader.look();
    SortedMap<Integer, Long> ends = now.ends();
    long end = ends.getOrDefault(INDEX, 0L);
    boolean isOther = !now.topicId().equals(topicId) || next > end;
    if (isOther || System.nanoTime() - readNanos > FRESH.toNanos()) {
      topicId = now.topicId();
      versions.clear();
      pin = Optional.empty();
      next = 0;
    }
    if (next < end) {
      reader.read(INDEX, next, end, this::index);
      next = end;
    }
    readNanos = System.nanoTime();
    return ends;
  }

  private boolean index(ConsumerRecord<byte[], byte[]> record) {
    String key = text(record.key());
    Optional<byte[]> value = Optional.ofNullable(record.value());
    if (key.equals(PINNED)) {
      pin = value;
    } else if (ModelVersion.isName(key)) {
      int number = ModelVersion.number(key);
      if (value.isPresent()) {
        versions.put(number, new Described(value.get(), firstChunk(record)));
      } else {
        versions.remove(number);
      }
    }
    return true;
  }

  /**
   * Returns the offset of the first chunk; 0 without a valid header, so that all chunks are read.
   * Offsets are only a hint; keys decide.
   */
  private static long firstChunk(ConsumerRecord<byte[], byte[]> record) {
    return Optional.ofNullable(record.headers().lastHeader(FIRST_CHUNK))
        .map(Header::value)
        .map(TopicRegistry::text)
        .filter(it -> OFFSET.matcher(it).matches())
        .map(Long::parseLong)
        .orElse(0L);
  }

  private static String text(byte[] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  private String at(String key) {
    return place() + "/" + key;
  }

  // ---- writing ---------------------------------------------------------------------------------

  /** Sends records. */
  private interface Writing {
    void with(TopicWriter writer) throws IOException;
  }

  private void write(Writing writing) throws IOException {
    try (TopicWriter writer = new TopicWriter(topic, producers.get())) {
      writing.with(writer);
    } catch (KafkaException e) {
      throw TopicFailure.of(place(), e);
    }
  }

  @Override
  public void publish(ModelVersion version, Map<String, byte[]> contents) throws IOException {
    version.requireContents(contents);
    byte[] description = version.toBytes();
    TopicForm.REGISTRY.prepare(topic);
    refresh();
    Optional<ModelVersion> earlier = version(version.number());
    if (earlier.isPresent()) {
      version.requireSameModel(place(), earlier.get());
      return;
    }
    write(
        writer -> {
          contents.forEach(
              (name, content) ->
                  FileChunks.of(version, name, content)
                      .forEach((key, chunk) -> writer.send(CHUNKS, key, chunk)));
          long firstChunk = writer.await().orElse(0);
          writer.send(INDEX, version.name(), description, FIRST_CHUNK, utf8(firstChunk + ""));
          writer.await();
        });
  }

  @Override
  public void pin(OptionalInt number) throws IOException {
    SortedSet<Integer> numbers = numbers();
    if (number.isPresent() && !numbers.contains(number.getAsInt())) {
      throw unknown(number.getAsInt());
    }
    if (number.isEmpty() && pin.isEmpty()) {
      return;
    }
    write(
        writer -> {
          if (number.isPresent()) {
            writer.send(INDEX, PINNED, utf8(ModelVersion.name(number.getAsInt())));
          } else {
            writer.remove(INDEX, PINNED);
          }
          writer.await();
        });
  }

  @Override
  public void remove(int number) throws IOException {
    if (!numbers().contains(number)) {
      return;
    }
    Set<String> chunks = chunksOf(number);
    write(
        writer -> {
          writer.remove(INDEX, ModelVersion.name(number));
          writer.await();
          chunks.forEach(key -> writer.remove(CHUNKS, key));
          writer.await();
        });
  }

  /**
   * Returns the keys of a version's chunks; empty if the description is damaged, which leaves the
   * chunks as leftovers.
   */
  private Set<String> chunksOf(int number) throws IOException {
    try {
      return version(number).map(FileChunks::keys).orElse(Set.of());
    } catch (InvalidDataException e) {
      return Set.of();
    }
  }

  @Override
  public SortedSet<Integer> removeLeftovers(long beforeMillis) throws IOException {
    SortedMap<Integer, Long> ends = refresh();
    Map<String, Long> written = new HashMap<>();
    reader.read(
        CHUNKS,
        0,
        ends.getOrDefault(CHUNKS, 0L),
        record -> {
          if (record.value() == null) {
            written.remove(text(record.key()));
          } else {
            written.put(text(record.key()), record.timestamp());
          }
          return true;
        });
    // Chunks of a version that has become visible in the meantime are not leftovers.
    SortedSet<Integer> visible = numbers();
    written
        .entrySet()
        .removeIf(
            chunk -> {
              OptionalInt number = FileChunks.number(chunk.getKey());
              return number.isEmpty()
                  || visible.contains(number.getAsInt())
                  || chunk.getValue() >= beforeMillis;
            });
    if (!written.isEmpty()) {
      write(
          writer -> {
            written.keySet().forEach(key -> writer.remove(CHUNKS, key));
            writer.await();
          });
    }
    return written.keySet().stream()
        .map(key -> FileChunks.number(key).orElseThrow())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    reader.close();
  }
}
