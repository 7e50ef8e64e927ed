package dev.braid.worker.state;

import dev.braid.exchange.Roles;
import dev.braid.exchange.state.StateFormat;
import dev.braid.exchange.state.StateKind;
import dev.braid.exchange.state.StateKind.Rescaling;
import dev.braid.wire.DamagedStateException;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rank and the run that a state belongs to, as far as they decide which part of it another run
 * can use.
 *
 * @param roles roles of the ranks in that run
 * @param batch number of samples in a worker's batch
 * @param format format of the exchange's states
 */
public record Role(int rank, Roles roles, int batch, StateFormat format) {

  /** Returns the number of ranks that compute. */
  public int workers() {
    return roles.workers();
  }

  /** Returns whether this rank computes. */
  public boolean computes() {
    return roles.computes(rank);
  }

  /** Returns whether both states are of the same exchange. */
  public boolean isOfSameExchange(Role other) {
    return format.isOfSameExchange(other.format);
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(rank);
    out.writeInt(roles.ranks());
    out.writeInt(roles.workers());
    out.writeInt(batch);
    out.writeUTF(format.exchange());
    out.writeByte(format.states().size());
    for (StateKind state : format.states()) {
      out.writeUTF(state.name());
      out.writeInt(state.version());
      out.writeUTF(state.rescaling().name());
    }
  }

  static Role read(DataInput in) throws IOException {
    int rank = in.readInt();
    int ranks = in.readInt();
    int workers = in.readInt();
    if (rank < 0 || rank >= ranks || workers < 1 || workers > ranks) {
      throw new DamagedStateException(
          ReplicaPart.NAME,
          "rank " + rank + " and " + workers + " workers do not match " + ranks + " ranks");
    }
    return new Role(
        rank, new Roles(ranks, workers), in.readInt(), new StateFormat(in.readUTF(), states(in)));
  }

  private static List<StateKind> states(DataInput in) throws IOException {
    int count = in.readUnsignedByte();
    List<StateKind> states = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      states.add(new StateKind(in.readUTF(), in.readInt(), rescaling(in.readUTF())));
    }
    return states;
  }

  private static Rescaling rescaling(String name) throws IOException {
    try {
      return Rescaling.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new DamagedStateException(ReplicaPart.NAME, "rescaling " + name + ": unknown");
    }
  }
}
