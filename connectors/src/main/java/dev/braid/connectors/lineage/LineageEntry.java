package dev.braid.connectors.lineage;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.braid.connectors.file.InvalidDataException;
import dev.braid.learner.OffsetRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One line of a lineage: JSON, an object of one field that names its kind. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
@JsonSubTypes({
  @JsonSubTypes.Type(value = LineageEntry.Began.class, name = "began"),
  @JsonSubTypes.Type(value = LineageEntry.Resumed.class, name = "resumed"),
  @JsonSubTypes.Type(value = LineageEntry.Dealt.class, name = "deal"),
  @JsonSubTypes.Type(value = LineageEntry.Digested.class, name = "digest")
})
public sealed interface LineageEntry {

  /**
   * A run begins: the first line.
   *
   * @param run id of the Flink job that began it
   * @param topic the topic's name
   * @param topicId the id that Kafka gave the topic when it was created
   * @param from first offset of each partition
   * @param until offset behind the last one of each partition; empty for a run without end
   * @param window rounds of a window of figures
   * @param seed decides the first weights
   * @param runFile text of a run file that has all options
   */
  record Began(
      String run,
      String topic,
      String topicId,
      SortedMap<Integer, Long> from,
      SortedMap<Integer, Long> until,
      int window,
      long seed,
      String runFile)
      implements LineageEntry {}

  /**
   * A run resumes after a failure or from a checkpoint. An enumerator that is still alive elsewhere
   * cannot append behind this entry, because it does not know of it.
   *
   * @param run id of the Flink job that resumes
   */
  record Resumed(String run) implements LineageEntry {}

  /**
   * Rounds are dealt. A deal that begins before the end of the deals in front of it takes their
   * place from that round on, together with the digests from there on: workers had to start again
   * from a checkpoint with another number of workers.
   *
   * @param round the first round, from 0
   * @param rounds how many rounds
   * @param batch offsets of a worker's batch
   * @param shares for each worker its ranges, such as {@code 0:100-200 3:5-17}: offsets 100 to 199
   *     of partition 0 and 5 to 16 of partition 3
   */
  record Dealt(long round, int rounds, int batch, List<String> shares) implements LineageEntry {

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9}):(\\d{1,18})-(\\d{1,18})");

    /** Returns the line of a deal. */
    public static Dealt of(Deal deal) {
      return new Dealt(
          deal.firstRound(),
          deal.rounds(),
          deal.batchSize(),
          deal.shares().stream().map(Dealt::text).toList());
    }

    /** Returns ranges as they are written in a share. */
    public static String text(List<OffsetRange> ranges) {
      return ranges.stream().map(OffsetRange::toString).collect(Collectors.joining(" "));
    }

    /**
     * Reads ranges as they are written in a share.
     *
     * @throws IllegalArgumentException if there are others
     */
    public static List<OffsetRange> ranges(String text) {
      List<OffsetRange> ranges = new ArrayList<>();
      if (text.isEmpty()) {
        return ranges;
      }
      for (String part : text.split(" ", -1)) {
        Matcher range = RANGE.matcher(part);
        if (!range.matches()) {
          throw new IllegalArgumentException(
              "'%s': a range such as 0:100-200 is needed".formatted(part));
        }
        ranges.add(
            new OffsetRange(
                Integer.parseInt(range.group(1)),
                Long.parseLong(range.group(2)),
                Long.parseLong(range.group(3))));
      }
      return ranges;
    }

    /**
     * Returns the deal.
     *
     * @throws IllegalArgumentException if it is impossible
     */
    public Deal deal() {
      return new Deal(round, rounds, batch, shares.stream().map(Dealt::ranges).toList());
    }
  }

  /**
   * The model after some rounds.
   *
   * @param rounds how many rounds are complete
   * @param sha256 SHA-256 of the weights as little-endian float32, in hexadecimal
   */
  record Digested(long rounds, String sha256) implements LineageEntry {}

  /** Reads and writes lines. Reading is strict: each field once, and none that is not known. */
  ObjectMapper JSON =
      JsonMapper.builder()
          .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Returns this entry as a line, without its end. */
  default String toJson() {
    try {
      return JSON.writerFor(LineageEntry.class).writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a lineage entry has a form in JSON", e);
    }
  }

  /**
   * Reads a line.
   *
   * @param place names the line in messages
   * @throws InvalidDataException if it is no entry
   */
  static LineageEntry parse(String place, String line) {
    try {
      LineageEntry entry =
          Optional.ofNullable(JSON.readValue(line, LineageEntry.class))
              .orElseThrow(() -> new IllegalArgumentException("null"));
      if (entry instanceof Dealt dealt) {
        // Ranges that are none are found where they are.
        Deal unused = dealt.deal();
      }
      return entry;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      String reason =
          e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
      throw new InvalidDataException(place + ": not a line of a lineage: " + reason, e);
    }
  }
}
