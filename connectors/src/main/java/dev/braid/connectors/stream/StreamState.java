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
 * The state of a stream's enumerator in a checkpoint. Later deals are in the lineage.
 *
 * @param unreadable reason why nothing can be restored; empty if the state is readable
 * @param lineage place of the lineage
 * @param entries number of entries that the lineage had
 * @param topicId id that Kafka gave the topic when it was created
 * @param fingerprint fingerprint of the conversion of records to samples
 * @param seed determines the initial weights
 * @param round first round that was not dealt
 * @param next first offset of each partition that was never dealt
 * @param returned earlier offsets that must be dealt again, in {@link Dealt}'s form of ranges
 * @param until offset after the last one of each partition; empty for a run without end
 * @param deals deals that may have to be sent to workers again
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

  /** Returns this state for a run with another end. */
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
  public StreamState at(
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
   * Format version 1: JSON, and a {@link StateChecksum}. A state that is damaged or has another
   * version is read as an unreadable state. Throwing an exception would be too early: Flink does
   * not end a job that fails before it runs, so that the job hangs.
   */
  public static final class Serializer implements SimpleVersionedSerializer<StreamState> {

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
