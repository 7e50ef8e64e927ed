package dev.braid.connectors.registry;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.OffsetRange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A registry's description of a published model: its origin, its quality, and its files.
 *
 * @param format version of the description's format
 * @param number number of the version in its registry, from 1
 * @param braid version of Braid that has published it
 * @param published time of publication, in ms since 1970
 * @param run id of the run that has trained it
 * @param round number of rounds of its training
 * @param digest SHA-256 of the weights as little-endian float32, in hexadecimal
 * @param data training data: a place, or {@code kafka:} and a topic
 * @param lineage place of the run's lineage; empty if it has none
 * @param lineageEntries number of the lineage's entries up to the deal of the last round; 0 without
 *     a lineage
 * @param offsets offsets that were dealt to the rounds; empty without a lineage
 * @param figures figures such as the loss, by name
 * @param files the files of the version, by name
 */
public record ModelVersion(
    int format,
    int number,
    String braid,
    long published,
    String run,
    long round,
    String digest,
    String data,
    String lineage,
    long lineageEntries,
    List<OffsetRange> offsets,
    SortedMap<String, Double> figures,
    SortedMap<String, FileSum> files) {

  /** The format that this class reads and writes. */
  public static final int FORMAT = 1;

  /** Name of the file with the weights, in Deeplearning4j's format. */
  public static final String MODEL = "model.zip";

  /** Name of the file that describes the model's input. */
  public static final String CARD = "model.json";

  private static final Pattern NAME = Pattern.compile("v([1-9]\\d{0,8})");
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /**
   * Maximum length of a description as JSON, in bytes. With its offset and key it fits into a
   * record of a Kafka topic with the default {@code max.message.bytes}. 5,000 partitions take half
   * of it.
   */
  static final int MAX_BYTES = 900 << 10;

  private static final int MOST_FILES = 16;

  /** Maximum length of a file in bytes, limited by a Java array. */
  private static final long MAX_FILE_BYTES = Integer.MAX_VALUE - 16;

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * Length and checksum of a file.
   *
   * @param bytes length of the file in bytes
   * @param sha256 SHA-256 of its content, in hexadecimal
   */
  public record FileSum(long bytes, String sha256) {

    private boolean isPossible() {
      return bytes >= 0 && bytes <= MAX_FILE_BYTES && SHA_256.matcher(sha256).matches();
    }

    /** Returns the length and checksum of a content. */
    public static FileSum of(byte[] content) {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
        return new FileSum(content.length, HexFormat.of().formatHex(hash));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }
  }

  /** Copies the collections, so that the version is immutable. */
  public ModelVersion {
    offsets = List.copyOf(offsets);
    figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
    files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
  }

  /** Returns the name of the version with a number. */
  public static String name(int number) {
    return "v" + number;
  }

  /** Returns whether a name has the form of a version's name. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * Returns the number of a version by its name.
   *
   * @param name such as {@code v17}
   * @throws InvalidDataException if no version has such a name
   */
  public static int number(String name) {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new InvalidDataException(name + ": not a version: must be a name such as v17");
    }
    return Integer.parseInt(matcher.group(1));
  }

  /** Returns the version's name, such as {@code v17}. */
  public String name() {
    return name(number);
  }

  /** Returns this version with another number, and the sums of these files. */
  public ModelVersion with(int newNumber, Map<String, byte[]> contents) {
    SortedMap<String, FileSum> sums = new TreeMap<>();
    contents.forEach((name, content) -> sums.put(name, FileSum.of(content)));
    return new ModelVersion(
        format,
        newNumber,
        braid,
        published,
        run,
        round,
        digest,
        data,
        lineage,
        lineageEntries,
        offsets,
        figures,
        sums);
  }

  /** Returns the number of offsets of its training; 0 if they are not known. */
  public long offsetCount() {
    return OffsetRange.count(offsets);
  }

  /** Returns the total length of all files in bytes. */
  public long bytes() {
    return files.values().stream().mapToLong(FileSum::bytes).sum();
  }

  /**
   * Returns whether both versions have the same weights after the same round. The run's id may
   * differ, because a restored job has another id.
   */
  public boolean isSameModel(ModelVersion other) {
    return round == other.round && digest.equals(other.digest);
  }

  /**
   * Checks that this version may be published if another one with its number exists.
   *
   * @param place name of the registry in messages
   * @throws InvalidDataException if the other version is another model
   */
  void requireSameModel(String place, ModelVersion other) {
    if (!isSameModel(other)) {
      throw new InvalidDataException(
          "%s: %s is there, with the model of round %,d of run %s: use a registry of its own for each training"
              .formatted(place, name(), other.round, other.run));
    }
  }

  /**
   * Checks that contents are those of {@link #files}.
   *
   * @throws IllegalArgumentException if not
   */
  void requireContents(Map<String, byte[]> contents) {
    if (!with(number, contents).files.equals(files)) {
      throw new IllegalArgumentException(name() + ": its contents differ from its files");
    }
  }

  /** Returns the description as JSON. */
  public String toJson() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a version has a form in JSON", e);
    }
  }

  /**
   * Returns the description as JSON in UTF-8.
   *
   * @throws InvalidDataException if {@link #parse} would reject it
   */
  byte[] toBytes() {
    byte[] json = toJson().getBytes(StandardCharsets.UTF_8);
    ModelVersion unused = parse(name(), number, json);
    return json;
  }

  /**
   * Parses the description of the version with a number.
   *
   * @param place name of the description in messages
   * @param json JSON in UTF-8
   * @throws InvalidDataException if it is not a description, describes another version, or has the
   *     format of a newer Braid
   */
  static ModelVersion parse(String place, int number, byte[] json) {
    if (json.length > MAX_BYTES) {
      throw new InvalidDataException(
          "%s: the description of a version has at most %,d bytes".formatted(place, MAX_BYTES));
    }
    ModelVersion version = parse(place, new String(json, StandardCharsets.UTF_8));
    if (version.number != number) {
      throw new InvalidDataException(place + ": damaged: it describes " + version.name());
    }
    return version;
  }

  /**
   * Parses a pin.
   *
   * @param place name of the pin in messages
   * @param name name of the pinned version, in UTF-8
   * @throws InvalidDataException if no version has such a name
   */
  static int pinned(String place, byte[] name) {
    try {
      return number(new String(name, StandardCharsets.UTF_8).strip());
    } catch (InvalidDataException e) {
      throw new InvalidDataException(place + ": damaged: " + e.getMessage(), e);
    }
  }

  /**
   * Parses a description.
   *
   * @param place name of the description in messages
   * @throws InvalidDataException if it is not a description, or has the format of a newer Braid
   */
  public static ModelVersion parse(String place, String json) {
    try {
      // The format is checked first, because a newer format may have other fields.
      JsonNode tree = JSON.readTree(json);
      int format = tree.path("format").asInt();
      if (format > FORMAT) {
        throw new InvalidDataException(
            "%s: format %d is of a newer Braid (%s), and this one reads up to %d: update Braid here"
                .formatted(place, format, tree.path("braid").asText("unknown"), FORMAT));
      }
      ModelVersion version = JSON.treeToValue(tree, ModelVersion.class);
      if (version == null || !version.isPossible()) {
        throw new InvalidDataException(place + ": damaged: not a version of a model");
      }
      return version;
    } catch (JsonProcessingException e) {
      throw new InvalidDataException(
          place + ": damaged: not a version of a model: " + e.getOriginalMessage(), e);
    }
  }

  private boolean isPossible() {
    return format == FORMAT
        && number >= 1
        && round >= 0
        && lineageEntries >= 0
        && files.size() <= MOST_FILES
        // Names are restricted, because a path could lead out of the registry.
        && files.keySet().stream().allMatch(name -> FILE_NAME.matcher(name).matches())
        && files.values().stream().allMatch(FileSum::isPossible);
  }

  /**
   * Returns the length of a file in bytes.
   *
   * @param place name of the file in messages
   * @throws InvalidDataException if the version has no such file
   */
  int lengthOf(String place, String name) {
    return Optional.ofNullable(files.get(name))
        .map(sum -> (int) sum.bytes())
        .orElseThrow(() -> new InvalidDataException(place + ": the version has no such file"));
  }

  /**
   * Checks a file's content, and returns it.
   *
   * @param place name of the file in messages
   * @throws InvalidDataException if the content differs from the version's
   */
  public byte[] checked(String place, String name, byte[] content) {
    if (!FileSum.of(content).equals(files.get(name))) {
      throw new InvalidDataException(
          place
              + ": damaged: its content differs from what was published: publish again, or "
              + "remove it");
    }
    return content;
  }
}
