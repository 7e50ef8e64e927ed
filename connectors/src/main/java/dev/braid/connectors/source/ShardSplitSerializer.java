package dev.braid.connectors.source;

import dev.braid.vector.Range;
import dev.braid.wire.StateChecksum;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * Serialises a share for a checkpoint, in version 2: {@code shard shards batchSize nextEpoch
 * segments}, then for each segment {@code epoch batchesLeft ranges} and for each range {@code start
 * end}, all ints. A {@link StateChecksum} follows, because wrong samples would silently give
 * another model.
 */
final class ShardSplitSerializer implements SimpleVersionedSerializer<ShardSplit> {

  static final int VERSION = 2;

  private static final int SEGMENT_BYTES = 3 * Integer.BYTES;
  private static final int RANGE_BYTES = 2 * Integer.BYTES;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(ShardSplit split) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    out.writeInt(split.shard());
    out.writeInt(split.shards());
    out.writeInt(split.batchSize());
    out.writeInt(split.nextEpoch());
    out.writeInt(split.begun().size());
    for (ShardSplit.Segment segment : split.begun()) {
      out.writeInt(segment.epoch());
      out.writeInt(segment.batchesLeft());
      out.writeInt(segment.remaining().size());
      for (Range range : segment.remaining()) {
        out.writeInt(range.start());
        out.writeInt(range.end());
      }
    }
    return StateChecksum.sealed(out.getCopyOfBuffer());
  }

  /**
   * {@inheritDoc}
   *
   * @throws SuppressRestartsException if the share has another version, or is damaged, because it
   *     would be so again after a restart
   */
  @Override
  public ShardSplit deserialize(int version, byte[] serialized) {
    try {
      if (version != VERSION) {
        throw new IOException(
            "share of the data in version %d: %d is known".formatted(version, VERSION));
      }
      return read(StateChecksum.open("a reader's share of the data", serialized));
    } catch (IOException e) {
      throw new SuppressRestartsException(e);
    }
  }

  private static ShardSplit read(DataInputStream in) throws IOException {
    int shard = in.readInt();
    int shards = in.readInt();
    int batchSize = in.readInt();
    int nextEpoch = in.readInt();
    int segments = readCount(in, SEGMENT_BYTES);
    List<ShardSplit.Segment> begun = new ArrayList<>(segments);
    try {
      for (int i = 0; i < segments; i++) {
        int epoch = in.readInt();
        int batchesLeft = in.readInt();
        begun.add(new ShardSplit.Segment(epoch, readRanges(in), batchesLeft));
      }
      if (in.available() > 0) {
        throw new IOException(
            "share of the data: " + in.available() + " bytes after the end of version " + VERSION);
      }
      return new ShardSplit(shard, shards, batchSize, begun, nextEpoch);
    } catch (IllegalArgumentException e) {
      throw new IOException("share of the data: " + e.getMessage(), e);
    }
  }

  private static List<Range> readRanges(DataInputStream in) throws IOException {
    int count = readCount(in, RANGE_BYTES);
    List<Range> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int start = in.readInt();
      ranges.add(new Range(start, in.readInt()));
    }
    return ranges;
  }

  /** Reads a count of elements of a known size, and compares it with the available bytes. */
  private static int readCount(DataInputStream in, int bytesEach) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > in.available() / bytesEach) {
      throw new IOException(
          "share of the data: " + count + " parts in " + in.available() + " bytes");
    }
    return count;
  }
}
