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

/** One line of a lineage: a JSON object with one field, whose name is the entry's kind. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_OBJECT)
@JsonSubTypes({
  @JsonSubTypes.Type(value = LineageEntry.Began.class, name = "began"),
  @JsonSubTypes.Type(value = LineageEntry.Resumed.class, name = "resumed"),
  @JsonSubTypes.Type(value = LineageEntry.Dealt.class, name = "deal"),
  @JsonSubTypes.Type(value = LineageEntry.Digested.class, name = "digest")
})
public sealed interface LineageEntry {

  /**
   * The beginning of a run: the first line.
   *
   * @param run id of the Flink job that began it
   * @param topic the topic's name
   * @param topicId id that Kafka gave the topic when it was created
   * @param from first offset of each partition
   * @param until offset after the last one of each partition; empty for a run without end
   * @param window number of rounds in a window of figures
   * @param seed determines the initial weights
   * @param runFile text of a run file that contains all options
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
   * The continuation of a run after a failure or from a checkpoint. An enumerator that is still
   * alive elsewhere cannot append after this entry, because it does not know the entry.
   *
   * @param run id of the Flink job that resumes
   */
  record Resumed(String run) implements LineageEntry {}

  /**
   * The dealing of rounds. A deal that begins before the end of the previous deals replaces them
   * from that round on, including the digests: workers had to start again from a checkpoint with
   * another number of workers.
   *
   * @param round the first round, from 0
   * @param rounds number of rounds
   * @param batch number of offsets in a worker's batch
   * @param shares the ranges of each worker, for example {@code 0:100-200 3:5-17}: offsets 100 to
   *     199 of partition 0 and 5 to 16 of partition 3
   */
  record Dealt(long round, int rounds, int batch, List<String> shares) implements LineageEntry {

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9}):(\\d{1,18})-(\\d{1,18})");

    /** Returns the entry of a deal. */
    public static Dealt of(Deal deal) {
      return new Dealt(
          deal.firstRound(),
          deal.rounds(),
          deal.batchSize(),
          deal.shares().stream().map(Dealt::text).toList());
    }

    /** Returns ranges in the form of a share. */
    public static String text(List<OffsetRange> ranges) {
      return ranges.stream().map(OffsetRange::toString).collect(Collectors.joining(" "));
    }

    /**
     * Parses ranges in the form of a share.
     *
     * @throws IllegalArgumentException if the text has another form
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
   * The digest of the model after some rounds.
   *
   * @param rounds number of completed rounds
   * @param sha256 SHA-256 of the weights as little-endian float32, in hexadecimal
   */
  record Digested(long rounds, String sha256) implements LineageEntry {}

  /**
   * Reads and writes lines. Reading is strict: each field must occur once, and unknown fields are
   * rejected.
   */
  ObjectMapper JSON =
      JsonMapper.builder()
          .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** Returns this entry as a line, without a line terminator. */
  default String toJson() {
    try {
      return JSON.writerFor(LineageEntry.class).writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a lineage entry has a form in JSON", e);
    }
  }

  /**
   * Parses a line.
   *
   * @param place name of the line in messages
   * @throws InvalidDataException if it is not an entry
   */
  static LineageEntry parse(String place, String line) {
    try {
      LineageEntry entry =
          Optional.ofNullable(JSON.readValue(line, LineageEntry.class))
              .orElseThrow(() -> new IllegalArgumentException("null"));
      if (entry instanceof Dealt dealt) {
        // Invalid ranges are detected here, where the line is known.
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
