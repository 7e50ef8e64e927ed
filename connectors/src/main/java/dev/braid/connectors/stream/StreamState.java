package dev.braid.connectors.stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.braid.connectors.lineage.LineageEntry;
import dev.braid.connectors.lineage.LineageEntry.Dealt;
import dev.braid.wire.StateChecksum;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * What the enumerator of a stream keeps in a checkpoint. What was dealt later, the lineage has.
 *
 * @param unreadable why nothing can be restored from it; empty if it can
 * @param lineage place of the lineage
 * @param entries how many entries the lineage had
 * @param topicId the id that Kafka gave the topic when it was created
 * @param fingerprint of how records become samples
 * @param seed decides the first weights
 * @param round first round that was not dealt
 * @param next first offset of each partition that was never dealt
 * @param returned offsets before that are to be dealt again, as {@link Dealt} writes ranges
 * @param until offset behind the last one of each partition; empty for a run without end
 * @param deals those that workers may have to be told again
 */
public record StreamState(
    String unreadable,
    String lineage,
    long entries,
    String topicId,
    String fingerprint,
    long seed,
    long round,
    SortedMap<Integer, Long> next,
    String returned,
    SortedMap<Integer, Long> until,
    List<Dealt> deals) {

  private static StreamState unreadable(String why) {
    return new StreamState(
        "the state of the stream " + why,
        "",
        0,
        "",
        "",
        0,
        0,
        new TreeMap<>(),
        "",
        new TreeMap<>(),
        List.of());
  }

  /** Returns the same state of a run that ends elsewhere. */
  StreamState withUntil(SortedMap<Integer, Long> ends) {
    return new StreamState(
        unreadable,
        lineage,
        entries,
        topicId,
        fingerprint,
        seed,
        round,
        next,
        returned,
        ends,
        deals);
  }

  /** Returns a later state of the same run. */
  StreamState at(
      long itsEntries,
      long itsRound,
      SortedMap<Integer, Long> itsNext,
      String itsReturned,
      List<Dealt> itsDeals) {
    return new StreamState(
        "",
        lineage,
        itsEntries,
        topicId,
        fingerprint,
        seed,
        itsRound,
        itsNext,
        itsReturned,
        until,
        itsDeals);
  }

  /**
   * Version 1: JSON, and a {@link StateChecksum}. A state that is damaged or of another version is
   * read as one that is unreadable. To fail here would be too early: Flink does not end a job that
   * fails before it runs, which then hangs.
   */
  static final class Serializer implements SimpleVersionedSerializer<StreamState> {

    private static final String NAME = "the stream";
    private static final int VERSION = 1;

    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(StreamState state) throws IOException {
      return StateChecksum.sealed(LineageEntry.JSON.writeValueAsBytes(state));
    }

    @Override
    public StreamState deserialize(int version, byte[] serialized) {
      if (version != VERSION) {
        return unreadable(
            "is in version %d of its format: this Braid reads %d".formatted(version, VERSION));
      }
      try {
        DataInputStream in = StateChecksum.open(NAME, serialized);
        String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        return LineageEntry.JSON.readValue(json, StreamState.class);
      } catch (JsonProcessingException e) {
        return unreadable("cannot be read: " + e.getOriginalMessage());
      } catch (IOException e) {
        return unreadable("cannot be read: " + e.getMessage());
      }
    }
  }
}
