package dev.braid.worker.state;

import dev.braid.exchange.StateFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Which rank of which run has a state, as far as it decides what another run can take of it.
 *
 * @param workers how many of the ranks compute: the first ones
 * @param batch samples of a worker's batch
 * @param format of the state of its exchange
 */
public record Role(int rank, int ranks, int workers, int batch, StateFormat format) {

  public Role {
    if (workers < 1) {
      throw new IllegalArgumentException(
          "a run of %d ranks, of which %d only serve, has no worker: more slots are needed, or fewer --servers"
              .formatted(ranks, ranks - workers));
    }
  }

  /** Whether both are of the same exchange. */
  public boolean isOfSameExchange(Role other) {
    return format.isOfSameExchange(other.format);
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(rank);
    out.writeInt(ranks);
    out.writeInt(workers);
    out.writeInt(batch);
    out.writeUTF(format.exchange());
    out.writeInt(format.version());
  }

  static Role read(DataInput in) throws IOException {
    int rank = in.readInt();
    int ranks = in.readInt();
    int workers = in.readInt();
    if (rank < 0 || rank >= ranks || workers < 1 || workers > ranks) {
      throw new IOException(
          "worker state is damaged: rank " + rank + ", " + workers + " workers of " + ranks);
    }
    return new Role(
        rank, ranks, workers, in.readInt(), new StateFormat(in.readUTF(), in.readInt()));
  }
}
