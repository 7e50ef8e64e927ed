package dev.braid.connectors.stream;

import dev.braid.wire.StateChecksum;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * A worker's position in a stream. The lineage maps it to offsets.
 *
 * @param worker index of the worker, from 0
 * @param workers number of workers that share the rounds
 * @param round the first round whose batch the worker has not used
 */
public record StreamPosition(int worker, int workers, long round) implements SourceSplit {

  public StreamPosition {
    if (worker < 0 || worker >= workers || round < 0) {
      throw new IllegalArgumentException(
          "worker %d of %d at round %d: 0 <= worker < workers and round 0 are the least"
              .formatted(worker, workers, round));
    }
  }

  @Override
  public String splitId() {
    return "worker-" + worker;
  }

  /** Returns the same worker's position at another round. */
  public StreamPosition at(long itsRound) {
    return new StreamPosition(worker, workers, itsRound);
  }

  /** Format version 1: the three numbers (int, int, long) and a {@link StateChecksum}. */
  static final class Serializer implements SimpleVersionedSerializer<StreamPosition> {

    private static final String NAME = "a position in the stream";
    private static final int VERSION = 1;

    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(StreamPosition position) throws IOException {
      DataOutputSerializer out = new DataOutputSerializer(Long.BYTES * 2);
      out.writeInt(position.worker());
      out.writeInt(position.workers());
      out.writeLong(position.round());
      return StateChecksum.sealed(out.getCopyOfBuffer());
    }

    /**
     * {@inheritDoc}
     *
     * @throws SuppressRestartsException if the position has another version, or is damaged, because
     *     it would be so again after a restart
     */
    @Override
    public StreamPosition deserialize(int version, byte[] serialized) {
      try {
        if (version != VERSION) {
          throw new IOException(
              "%s is in version %d of its format: this Braid reads %d"
                  .formatted(NAME, version, VERSION));
        }
        DataInputStream in = StateChecksum.open(NAME, serialized);
        return new StreamPosition(in.readInt(), in.readInt(), in.readLong());
      } catch (IOException | IllegalArgumentException e) {
        throw new SuppressRestartsException(e);
      }
    }
  }
}
